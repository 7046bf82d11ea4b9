import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Organization Policy',
  prefix: 'orgpolicy',
  group: 'identity',
  types: ['Policy'],
});
