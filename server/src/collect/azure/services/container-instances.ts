import { defineAzureService } from '../service.ts';

const containers = (path: string) => [
  `${path}.*.properties.environmentVariables.*.value`,
  `${path}.*.properties.environmentVariables.*.secureValue`,
  `${path}.*.properties.command.*`,
];

export default defineAzureService({
  name: 'Container Instances',
  namespace: 'Microsoft.ContainerInstance',
  types: [
    {
      type: 'Microsoft.ContainerInstance/containerGroups',
      redact: [
        ...containers('containers'),
        ...containers('initContainers'),
        'imageRegistryCredentials.*.password',
        'volumes.*.secret.*',
        'volumes.*.azureFile.storageAccountKey',
        'diagnostics.logAnalytics.workspaceKey',
      ],
    },
  ],
});
