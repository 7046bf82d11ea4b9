import { ofRegion } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Macie',
  prefix: 'macie2',
  load: () => import('@aws-sdk/client-macie2'),
  client: 'Macie2Client',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_MACIE2_GET_MACIE_SESSION',
      type: 'macie2:session',
      call: 'GetMacieSession',
      // The service's way to say that it is off.
      none: ['AccessDeniedException: Macie is not enabled'],
      ...ofRegion,
    },
  ],
});
