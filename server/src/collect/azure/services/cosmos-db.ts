import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Cosmos DB',
  namespace: 'Microsoft.DocumentDB',
  types: [{ type: 'Microsoft.DocumentDB/databaseAccounts' }],
});
