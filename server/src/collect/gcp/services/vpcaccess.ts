import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Serverless VPC Access',
  prefix: 'vpcaccess',
  group: 'compute',
  types: ['Connector'],
});
