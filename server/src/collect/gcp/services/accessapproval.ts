import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Access Approval',
  prefix: 'accessapproval',
  group: 'identity',
  types: [{ type: 'AccessApprovalSettings', hasPolicy: false }],
});
