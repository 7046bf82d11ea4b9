import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Batch',
  namespace: 'Microsoft.Batch',
  types: [{ type: 'Microsoft.Batch/batchAccounts', diagnostics: [''] }],
});
