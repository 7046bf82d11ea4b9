import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Assured Workloads',
  prefix: 'assuredworkloads',
  group: 'identity',
  types: ['Workload'],
});
