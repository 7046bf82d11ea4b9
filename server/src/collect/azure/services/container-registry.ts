import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Container Registry',
  namespace: 'Microsoft.ContainerRegistry',
  types: [
    { type: 'Microsoft.ContainerRegistry/registries' },
    { type: 'Microsoft.ContainerRegistry/registries/replications' },
    { type: 'Microsoft.ContainerRegistry/registries/webhooks' },
  ],
});
