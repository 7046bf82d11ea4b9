import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Storage',
  prefix: 'storage',
  group: 'data',
  types: [{ type: 'Bucket', policyKinds: ['LW_CFG_GCP_STORAGE_BUCKET_POLICY'] }],
});
