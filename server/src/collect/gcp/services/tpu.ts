import { instanceMetadata } from '../instance-metadata.ts';
import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud TPU',
  prefix: 'tpu',
  group: 'compute',
  types: [{ type: 'Node', redact: [instanceMetadata('metadata')] }],
});
