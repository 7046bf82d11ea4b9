import { AwsCalls } from './calls.ts';
import { defineAwsService } from './service.ts';
import { type AwsSession, homeRegion } from './session.ts';

const ec2 = defineAwsService({
  ...{ name: 'EC2', prefix: 'ec2', client: 'EC2Client', regions: 'once', reads: [] },
  load: () => import('@aws-sdk/client-ec2'),
});

/** The regions that the account has enabled. */
export async function enabledRegions(session: AwsSession, signal: AbortSignal): Promise<string[]> {
  const region = homeRegion(session.account.partition);
  const calls = new AwsCalls(session, ec2, { region, sdk: await ec2.load(), signal });
  const { Regions } = await calls.call('DescribeRegions', { AllRegions: true });
  return (Regions as { RegionName: string; OptInStatus?: string }[])
    .filter(({ OptInStatus }) => OptInStatus !== 'not-opted-in')
    .map(({ RegionName }) => RegionName)
    .sort();
}
