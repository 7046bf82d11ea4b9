import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Eventarc',
  prefix: 'eventarc',
  group: 'containers',
  types: ['Trigger'],
});
