import { instanceMetadata } from '../instance-metadata.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Kubernetes Engine',
  prefix: 'container',
  group: 'containers',
  types: [
    {
      type: 'Cluster',
      labels: 'resourceLabels',
      redact: [
        'masterAuth.password',
        'masterAuth.clientKey',
        instanceMetadata('nodeConfig.metadata'),
        instanceMetadata('nodePools.*.config.metadata'),
      ],
    },
    {
      type: 'NodePool',
      labels: 'config.resourceLabels',
      redact: [instanceMetadata('config.metadata')],
    },
  ],
});
