import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'VM Manager',
  prefix: 'osconfig',
  group: 'compute',
  types: [
    { type: 'OSPolicyAssignment', redact: ['osPolicies.*.resourceGroups.*.resources.*.exec.*.script'] },
    'PatchDeployment',
  ],
});
