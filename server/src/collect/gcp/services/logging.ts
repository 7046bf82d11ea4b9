import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Logging',
  prefix: 'logging',
  group: 'security',
  types: ['LogBucket', 'LogMetric', 'LogSink'],
});
