import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Datastream',
  prefix: 'datastream',
  group: 'data',
  types: [
    { type: 'ConnectionProfile', redact: ['**.password', '**.clientKey', '**.privateKey'] },
    'PrivateConnection',
    'Stream',
  ],
});
