import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Resources',
  namespace: 'Microsoft.Resources',
  types: [
    { type: 'Microsoft.Resources/subscriptions', table: 'resourcecontainers' },
    {
      type: 'Microsoft.Resources/subscriptions/resourceGroups',
      kind: 'LW_CFG_AZURE_RESOURCES_RESOURCEGROUPS',
      table: 'resourcecontainers',
    },
    {
      type: 'Microsoft.Resources/deploymentScripts',
      redact: ['arguments', 'scriptContent', 'environmentVariables.*.value'],
    },
  ],
});
