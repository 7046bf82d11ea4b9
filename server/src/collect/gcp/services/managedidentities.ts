import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Managed Microsoft AD',
  prefix: 'managedidentities',
  group: 'identity',
  types: ['Domain'],
});
