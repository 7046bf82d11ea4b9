import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Data Lake',
  namespace: 'Microsoft.DataLakeStore',
  types: [
    { type: 'Microsoft.DataLakeStore/accounts', diagnostics: [''] },
    { type: 'Microsoft.DataLakeAnalytics/accounts', diagnostics: [''] },
  ],
});
