import { instanceMetadata } from '../instance-metadata.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Dataproc',
  prefix: 'dataproc',
  group: 'data',
  types: [
    {
      type: 'Cluster',
      redact: [instanceMetadata('config.gceClusterConfig.metadata'), 'config.softwareConfig.properties.*'],
    },
    // The arguments and properties of programs.
    { type: 'Job', redact: ['*.args', '*.properties.*', '*.queryList', '*.scriptVariables.*'] },
  ],
});
