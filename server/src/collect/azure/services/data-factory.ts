import { defineAzureService } from '../service.ts';

export default defineAzureService({
  name: 'Data Factory',
  namespace: 'Microsoft.DataFactory',
  types: [
    {
      type: 'Microsoft.DataFactory/factories',
      redact: ['globalParameters.*.value', 'repoConfiguration.clientSecret'],
      children: [
        {
          type: 'Microsoft.DataFactory/factories/privateEndpointConnections',
          path: 'privateEndPointConnections',
          apiVersion: '2018-06-01',
          isList: true,
        },
      ],
    },
  ],
});
