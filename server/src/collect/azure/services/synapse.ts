import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Synapse',
  namespace: 'Microsoft.Synapse',
  types: [
    {
      type: 'Microsoft.Synapse/workspaces',
      redact: ['sqlAdministratorLoginPassword'],
      children: [
        {
          type: 'Microsoft.Synapse/workspaces/vulnerabilityAssessments',
          path: 'vulnerabilityAssessments/default',
          apiVersion: '2021-06-01',
          redact: ['storageAccountAccessKey', 'storageContainerSasKey'],
        },
      ],
    },
    { type: 'Microsoft.Synapse/workspaces/sqlPools' },
    { type: 'Microsoft.Synapse/workspaces/bigDataPools' },
  ],
});
