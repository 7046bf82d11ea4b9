import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'AI Search',
  namespace: 'Microsoft.Search',
  types: [{ type: 'Microsoft.Search/searchServices', diagnostics: [''] }],
});
