import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Dataflow',
  prefix: 'dataflow',
  group: 'data',
  types: [{ type: 'Job', redact: ['environment.sdkPipelineOptions', 'pipelineDescription', 'steps'] }],
});
