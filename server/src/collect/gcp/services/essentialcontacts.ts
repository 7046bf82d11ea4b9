import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Essential Contacts',
  prefix: 'essentialcontact',
  host: 'essentialcontacts.googleapis.com',
  group: 'identity',
  types: [{ type: 'Contact', hasPolicy: false }],
});
