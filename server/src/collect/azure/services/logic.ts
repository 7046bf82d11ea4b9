import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Logic Apps',
  namespace: 'Microsoft.Logic',
  types: [
    {
      type: 'Microsoft.Logic/workflows',
      diagnostics: [''],
      // Actions hold the headers and bodies of requests as they are sent.
      redact: ['definition.actions.*', 'definition.triggers.*', 'definition.parameters.*', 'parameters.*'],
    },
  ],
});
