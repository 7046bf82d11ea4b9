import { defineAwsService } from '../service.ts';

/**
 * How calls about an organization's trail fail in its member accounts, which may list it. For their own trails the same means
 * that the trail was deleted since; the next collection knows.
 */
const ofAnotherAccount = ['TrailNotFoundException', 'CloudTrailARNInvalidException'];

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
      // Shadow trails are the organization's trails in its member accounts, and replicas of trails of other regions.
      input: { includeShadowTrails: true },
      where: { HomeRegion: ['{$region}'] },
      items: 'trailList',
      id: '{Name}',
      arn: '{TrailARN}',
      each: [
        {
          kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS',
          call: 'GetTrailStatus',
          input: { Name: '{TrailARN}' },
          denied: ofAnotherAccount,
        },
        {
          kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_EVENT_SELECTORS',
          call: 'GetEventSelectors',
          input: { TrailName: '{TrailARN}' },
          denied: ofAnotherAccount,
        },
      ],
    },
  ],
});
