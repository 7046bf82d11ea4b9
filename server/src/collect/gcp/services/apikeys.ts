import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'API Keys',
  prefix: 'apikeys',
  group: 'identity',
  types: [{ type: 'Key', labels: 'annotations', redact: ['keyString'] }],
});
