import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'API Gateway',
  prefix: 'apigateway',
  group: 'containers',
  types: ['Api', 'ApiConfig', 'Gateway'],
});
