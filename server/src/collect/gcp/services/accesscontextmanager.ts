import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Access Context Manager',
  prefix: 'accesscontextmanager',
  host: 'identity.accesscontextmanager.googleapis.com',
  group: 'identity',
  types: [{ type: 'ServicePerimeter', hasPolicy: false }],
});
