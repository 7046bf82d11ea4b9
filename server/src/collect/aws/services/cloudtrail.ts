import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'CloudTrail',
  prefix: 'cloudtrail',
  load: () => import('@aws-sdk/client-cloudtrail'),
  client: 'CloudTrailClient',
  regions: 'each',
  rate: { perSecond: 10 },
  reads: [
    {
      kind: 'LW_CFG_AWS_CLOUDTRAIL',
      type: 'cloudtrail:trail',
      call: 'DescribeTrails',
      // Otherwise each region returns the trails of all others.
      input: { includeShadowTrails: false },
      items: 'trailList',
      id: '{Name}',
      arn: '{TrailARN}',
      each: [
        {
          kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS',
          call: 'GetTrailStatus',
          input: { Name: '{TrailARN}' },
        },
        {
          kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_EVENT_SELECTORS',
          call: 'GetEventSelectors',
          input: { TrailName: '{TrailARN}' },
        },
      ],
    },
  ],
});
