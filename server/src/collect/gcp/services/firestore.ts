import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Firestore',
  prefix: 'firestore',
  group: 'data',
  types: ['Database'],
});
