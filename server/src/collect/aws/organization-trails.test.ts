import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { account, collected, FakeAws, failure, json } from '../../testing/fake-aws.ts';
import cloudtrail from './services/cloudtrail.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await FakeAws.start();
});
beforeEach(() => aws.forget());
afterAll(() => aws.close());

const management = '210987654321';
const trailOf = (owner: string, name: string, region: string, more: object = {}) => ({
  ...{ Name: name, HomeRegion: region, TrailARN: `arn:aws:cloudtrail:${region}:${owner}:trail/${name}` },
  ...{ IsMultiRegionTrail: true, IsOrganizationTrail: owner !== account, LogFileValidationEnabled: true },
  ...more,
});
const organization = trailOf(management, 'organization', 'us-east-1');
const own = trailOf(account, 'own', 'eu-west-1');
const local = trailOf(account, 'local', 'eu-west-1', { IsMultiRegionTrail: false });
const regions = ['us-east-1', 'eu-west-1', 'eu-central-1'];

const trails = 'LW_CFG_AWS_CLOUDTRAIL';
const status = `${trails}_GET_TRAIL_STATUS`;
const selectors = `${trails}_GET_EVENT_SELECTORS`;

/** As in a member account: replicas are in all regions, trails of one region only there. */
function serve() {
  aws.on('cloudtrail DescribeTrails', ({ region, input }) => {
    const here = [organization, own, ...(region === local.HomeRegion ? [local] : [])];
    const isShadow = ({ HomeRegion, IsOrganizationTrail }: typeof own) =>
      IsOrganizationTrail || HomeRegion !== region;
    return json({ trailList: here.filter((one) => input.includeShadowTrails !== false || !isShadow(one)) });
  });
  aws.on('cloudtrail GetTrailStatus', json({ IsLogging: true }));
  aws.on('cloudtrail GetEventSelectors', ({ input }) =>
    json({ TrailARN: input.TrailName, EventSelectors: [{ ReadWriteType: 'All' }] }),
  );
}

const collect = () => collected(aws, { services: [cloudtrail], regions });

test('trails of the account and of its organization are stored once, in their home region', async () => {
  serve();
  const sink = await collect();
  for (const kind of [trails, status, selectors]) {
    const stored = sink
      .of(kind)
      .flatMap(({ region, resources }) => resources.map(({ facts }) => `${region} ${facts.RESOURCE_ID}`));
    expect([kind, ...stored.sort()]).toEqual([
      kind,
      'eu-west-1 local',
      'eu-west-1 own',
      'us-east-1 organization',
    ]);
  }
  const [{ resources: [trail] = [] } = {}] = sink.of(trails).filter(({ region }) => region === 'us-east-1');
  expect(trail).toMatchObject({
    key: organization.TrailARN,
    facts: { URN: organization.TrailARN, ACCOUNT_ID: account, RESOURCE_REGION: 'us-east-1' },
  });
  expect(
    sink
      .of(trails)
      .map(({ status: result }) => result)
      .sort(),
  ).toEqual(['collected', 'collected', 'empty']);
});

test.each([
  [400, 'TrailNotFoundException'],
  [400, 'CloudTrailARNInvalidException'],
  [403, 'AccessDeniedException'],
])('a trail whose details answer %i %s is stored, and its details are denied', async (code, error) => {
  serve();
  const arn = organization.TrailARN;
  aws.on('cloudtrail GetEventSelectors', (call) =>
    call.input.TrailName === arn
      ? failure(call, code, error, 'Unknown trail.')
      : json({ TrailARN: call.input.TrailName }),
  );
  const sink = await collect();
  expect(Object.keys(sink.configs(trails))).toContain(arn);
  expect(Object.keys(sink.configs(selectors)).sort()).toEqual([local.TrailARN, own.TrailARN].sort());
  const [denied] = sink.of(selectors).filter(({ region }) => region === 'us-east-1');
  expect(denied).toMatchObject({ status: 'denied', unread: [{ key: arn, status: 'denied' }] });
});
