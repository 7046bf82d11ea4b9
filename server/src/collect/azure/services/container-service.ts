import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Kubernetes Service',
  namespace: 'Microsoft.ContainerService',
  types: [
    {
      type: 'Microsoft.ContainerService/managedClusters',
      redact: [
        'servicePrincipalProfile.secret',
        'windowsProfile.adminPassword',
        'aadProfile.serverAppSecret',
      ],
    },
  ],
});
