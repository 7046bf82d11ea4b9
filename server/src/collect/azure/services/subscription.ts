import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Subscriptions',
  namespace: 'Microsoft.Subscription',
  tenant: [
    {
      type: 'Microsoft.Subscription/policies',
      path: 'providers/Microsoft.Subscription/policies/default',
      apiVersion: '2021-10-01',
    },
  ],
});
