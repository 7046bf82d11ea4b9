import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import {
  collected,
  FakeAws,
  failure,
  json,
  type ReceivedCall,
  virtualBudget,
  xml,
} from '../../testing/fake-aws.ts';
import dynamodb from './services/dynamodb.ts';
import ec2 from './services/ec2.ts';
import eks from './services/eks.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await FakeAws.start();
});
afterAll(() => aws.close());

const services = [dynamodb, eks, ec2];
const only = ['ListTables', 'ListClusters', 'DescribeVpcs'];
const regions = ['us-east-1', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-south-1', 'ap-east-1'];
const deniedRegions = ['eu-central-1', 'ap-south-1', 'ap-east-1'];
const tables = Array.from({ length: 40 }, (_, index) => `table-${index}`);
const clusters = ['a', 'b', 'c'];

/** Answers with the same resources in all regions, page by page. */
function serve() {
  aws.forget();
  aws.on('dynamodb ListTables', ({ input }) =>
    input.ExclusiveStartTableName
      ? json({ TableNames: tables.slice(20) })
      : json({ TableNames: tables.slice(0, 20), LastEvaluatedTableName: tables[19] }),
  );
  aws.on('dynamodb DescribeTable', ({ input }) => json({ Table: { TableName: input.TableName } }));
  aws.on('dynamodb DescribeContinuousBackups', json({ ContinuousBackupsDescription: {} }));
  aws.on('eks GET /clusters', json({ clusters }));
  for (const name of clusters) {
    aws.on(`eks GET /clusters/${name}`, json({ cluster: { name } }));
    aws.on(`eks GET /clusters/${name}/node-groups`, json({ nodegroups: ['n'] }));
    aws.on(`eks GET /clusters/${name}/node-groups/n`, json({ nodegroup: { nodegroupName: 'n' } }));
  }
  aws.on('ec2 DescribeVpcs', xml('<R><vpcSet><item><vpcId>vpc-1</vpcId></item></vpcSet></R>'));
}

/** The same numbers in each run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const throttled: Readonly<Record<string, string>> = { ec2: 'RequestLimitExceeded' };

function injected(random: () => number) {
  const faults = { throttled: 0, failed: 0, hanging: 0 };
  aws.before = (call: ReceivedCall) => {
    if (deniedRegions.includes(call.region))
      return failure(call, 403, call.service === 'ec2' ? 'UnauthorizedOperation' : 'AccessDeniedException');
    const number = random();
    if (number < 0.1) {
      faults.throttled++;
      return failure(call, 400, throttled[call.service] ?? 'ThrottlingException');
    }
    if (number < 0.15) {
      faults.failed++;
      return failure(call, 500, 'InternalError');
    }
    if (number >= 0.16) return undefined;
    faults.hanging++;
    return 'hang';
  };
  return faults;
}

describe('with 10 % of the calls throttled, 5 % failing, 1 % hanging and three regions denied', () => {
  test('a collection completes, names the gaps, and no resource vanishes', async () => {
    serve();
    const before = await collected(aws, { services, regions, only });
    expect(before.snapshots.every(({ status }) => status === 'collected')).toBe(true);

    serve();
    const faults = injected(randomNumbers(17));
    const clock = new ManualClock();
    const budget = virtualBudget(clock);
    const started = clock.now();
    const after = await collected(aws, { services, regions, only, budget, timeout: 200 });
    expect(faults.throttled).toBeGreaterThan(20);
    expect(faults.failed).toBeGreaterThan(10);
    expect(faults.hanging).toBeGreaterThan(0);

    expect(after.snapshots).toHaveLength(before.snapshots.length);
    for (const { kind, region, status, reason, resources, unread } of after.snapshots) {
      if (deniedRegions.includes(region)) {
        expect(`${kind} ${region} ${status}`).toBe(`${kind} ${region} denied`);
        expect(reason).toMatch(/ in \S+: (AccessDeniedException|UnauthorizedOperation)/);
        continue;
      }
      const [known] = before.snapshots.filter((one) => one.kind === kind && one.region === region);
      const seen = [...resources, ...unread].map(({ key }) => key);
      expect(seen.sort()).toEqual(known?.resources.map(({ key }) => key).sort());
      expect(status).toBe(unread.length > 0 ? 'failed' : 'collected');
    }

    // Each attempt that the server saw was paid for, and none came earlier than the budget allows.
    const counted = new Map<string, number>();
    for (const { service, region } of aws.calls)
      counted.set(`${service} ${region}`, (counted.get(`${service} ${region}`) ?? 0) + 1);
    const elapsed = clock.now() - started;
    for (const { api, calls } of budget.usage()) {
      const perSecond = api.startsWith('ec2') ? 20 * 0.2 : 5;
      // An attempt that was given up before its connection opened is paid for, but not seen.
      expect(counted.get(api) ?? 0).toBeLessThanOrEqual(calls);
      expect(calls).toBeLessThanOrEqual(1 + (elapsed / 1_000) * perSecond);
    }
    expect([...counted.keys()].sort()).toEqual(
      budget
        .usage()
        .map(({ api }) => api)
        .sort(),
    );
  });
});
