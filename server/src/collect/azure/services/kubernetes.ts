import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Arc-enabled Kubernetes',
  namespace: 'Microsoft.Kubernetes',
  types: [
    { type: 'Microsoft.Kubernetes/connectedClusters' },
    {
      type: 'Microsoft.KubernetesConfiguration/extensions',
      table: 'kubernetesconfigurationresources',
      redact: ['configurationProtectedSettings.*'],
    },
    {
      type: 'Microsoft.KubernetesConfiguration/fluxConfigurations',
      table: 'kubernetesconfigurationresources',
      redact: ['configurationProtectedSettings.*'],
    },
  ],
});
