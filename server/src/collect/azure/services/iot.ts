import { defineAzureService } from '../service.ts';

const endpoints = ['eventHubs', 'serviceBusQueues', 'serviceBusTopics', 'storageContainers'];

export default defineAzureService({
  name: 'IoT Hub',
  namespace: 'Microsoft.Devices',
  types: [
    {
      type: 'Microsoft.Devices/iotHubs',
      diagnostics: [''],
      redact: [
        'authorizationPolicies.*.primaryKey',
        'authorizationPolicies.*.secondaryKey',
        'storageEndpoints.*.connectionString',
        ...endpoints.map((name) => `routing.endpoints.${name}.*.connectionString`),
      ],
    },
    { type: 'Microsoft.Devices/provisioningServices', redact: ['iotHubs.*.connectionString'] },
  ],
});
