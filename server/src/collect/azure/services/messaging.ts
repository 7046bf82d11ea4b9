import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Event Hubs and Service Bus',
  namespace: 'Microsoft.EventHub',
  types: [
    { type: 'Microsoft.EventHub/namespaces', diagnostics: [''] },
    { type: 'Microsoft.EventHub/clusters' },
    { type: 'Microsoft.ServiceBus/namespaces', diagnostics: [''] },
  ],
});
