import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'SignalR',
  namespace: 'Microsoft.SignalRService',
  types: [
    // Addresses of functions carry a key.
    { type: 'Microsoft.SignalRService/signalR', redact: ['upstream.templates.*.urlTemplate'] },
    { type: 'Microsoft.SignalRService/webPubSub' },
  ],
});
