import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Billing',
  prefix: 'cloudbilling',
  group: 'identity',
  types: ['BillingAccount', 'ProjectBillingInfo'],
});
