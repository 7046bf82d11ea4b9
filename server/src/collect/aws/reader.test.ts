import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collected, FakeAws, failure, json, xml } from '../../testing/fake-aws.ts';
import dynamodb from './services/dynamodb.ts';
import ec2 from './services/ec2.ts';
import eks from './services/eks.ts';
import iam from './services/iam/service.ts';
import s3 from './services/s3.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await FakeAws.start();
});
beforeEach(() => aws.forget());
afterAll(() => aws.close());

const location = (region: string) =>
  xml(`<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${region}</LocationConstraint>`);
const vpcs = 'LW_CFG_AWS_EC2_VPCS';
const vpcPage = (ids: readonly string[], token?: string) =>
  xml(
    `<DescribeVpcsResponse><vpcSet>${ids
      .map(
        (id) =>
          `<item><vpcId>${id}</vpcId><tagSet><item><key>Name</key><value>n</value></item></tagSet></item>`,
      )
      .join('')}</vpcSet>${token ? `<nextToken>${token}</nextToken>` : ''}</DescribeVpcsResponse>`,
  );
const readVpcs = (options: object = {}) =>
  collected(aws, { services: [ec2], only: ['DescribeVpcs'], ...options });

describe('a read of AWS', () => {
  test('stores resources with their columns, page by page', async () => {
    aws.on('ec2 DescribeVpcs', ({ input }) =>
      input.NextToken === 'two' ? vpcPage(['vpc-2']) : vpcPage(['vpc-1'], 'two'),
    );
    const [snapshot] = (await readVpcs()).of(vpcs);
    expect(snapshot).toMatchObject({ status: 'collected', reason: '', region: 'us-east-1', unread: [] });
    const arn = 'arn:aws:ec2:us-east-1:123456789012:vpc/vpc-1';
    expect(snapshot?.resources[0]).toEqual({
      key: arn,
      facts: {
        URN: arn,
        RESOURCE_ID: 'vpc-1',
        RESOURCE_TYPE: 'ec2:vpc',
        SERVICE: 'ec2',
        RESOURCE_REGION: 'us-east-1',
        API_KEY: 'describe-vpcs',
        ACCOUNT_ID: '123456789012',
        ACCOUNT_ALIAS: 'production',
      },
      config: JSON.stringify({ Tags: [{ Key: 'Name', Value: 'n' }], VpcId: 'vpc-1' }),
      tags: '{"Name":"n"}',
    });
    expect(snapshot?.resources.map(({ facts }) => facts.RESOURCE_ID)).toEqual(['vpc-1', 'vpc-2']);
  });

  test('stores a resource once that is on two pages', async () => {
    aws.on('ec2 DescribeVpcs', ({ input }) =>
      input.NextToken === 'two' ? vpcPage(['vpc-1', 'vpc-2']) : vpcPage(['vpc-1'], 'two'),
    );
    const [snapshot] = (await readVpcs()).of(vpcs);
    expect(snapshot?.resources.map(({ facts }) => facts.RESOURCE_ID)).toEqual(['vpc-1', 'vpc-2']);
  });

  test('of nothing is empty, and of a setting that is not there is a row without configuration', async () => {
    aws.on('ec2 DescribeVpcs', vpcPage([]));
    expect((await readVpcs()).of(vpcs)).toMatchObject([{ status: 'empty', resources: [] }]);
    aws.on('iam GetAccountPasswordPolicy', (call) => failure(call, 404, 'NoSuchEntity'));
    const sink = await collected(aws, { services: [iam], only: ['GetAccountPasswordPolicy'] });
    expect(sink.configs('LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY')).toEqual({
      'arn:aws:iam::123456789012:root': {},
    });
    expect(sink.snapshots[0]?.resources[0]?.facts.RESOURCE_REGION).toBe('aws-global');
  });

  test.each([
    ['denied', 403, 'UnauthorizedOperation'],
    ['denied', 401, 'AuthFailure'],
    ['not enabled', 403, 'OptInRequired'],
    ['failed', 400, 'InvalidParameterValue'],
    ['failed', 500, 'InternalError'],
    ['failed', 503, 'RequestLimitExceeded'],
  ])('is %s if the answer is %i %s, and nothing is replaced', async (status, code, error) => {
    aws.on('ec2 DescribeVpcs', (call) =>
      call.input.NextToken ? failure(call, code, error, 'why') : vpcPage(['vpc-1'], 'two'),
    );
    const [snapshot] = (await readVpcs()).of(vpcs);
    const reason = `DescribeVpcs in us-east-1: ${error}: why`;
    expect(snapshot).toMatchObject({ status, reason, parts: 0, resources: [] });
    expect(aws.calls.length).toBe(code >= 500 ? 9 : 2);
  });

  test('is not enabled where the service has no address, without retries', async () => {
    const sink = await collected(aws, {
      services: [ec2],
      only: ['DescribeVpcs'],
      endpoint: 'http://no.invalid',
    });
    expect(sink.of(vpcs)).toMatchObject([
      { status: 'not enabled', reason: 'DescribeVpcs in us-east-1: not offered in this region.' },
    ]);
  });

  test('is repeated after throttling and failures, and fails if the server hangs', async () => {
    const answers = [503, 500].map((code) => () => code);
    aws.before = (call) => {
      const code = answers.shift()?.();
      return code ? failure(call, code, code === 503 ? 'RequestLimitExceeded' : 'InternalError') : undefined;
    };
    aws.on('ec2 DescribeVpcs', vpcPage(['vpc-1']));
    expect((await readVpcs()).of(vpcs)).toMatchObject([{ status: 'collected' }]);
    expect(aws.calls.length).toBe(3);
    aws.forget();
    aws.on('ec2 DescribeVpcs', () => 'hang');
    expect((await readVpcs({ timeout: 30 })).of(vpcs)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('did not respond within 0.03 seconds') },
    ]);
    expect(aws.calls.length).toBeGreaterThan(1);
  });

  test.each([
    ['the same token', () => 'again', 'returned the same page token twice'],
    ['tokens in a circle', (page: number) => `t${page % 3}`, 'returned the same page token twice'],
    ['new tokens without end', (page: number) => `t${page}`, 'returned more than 20 pages'],
  ])('ends with a reason if the server returns %s', async (_, tokenOf, reason) => {
    let page = 0;
    aws.on('ec2 DescribeVpcs', () => vpcPage([`vpc-${++page}`], tokenOf(page)));
    const [snapshot] = (await readVpcs({ maxPages: 20 })).of(vpcs);
    expect(snapshot).toMatchObject({ status: 'failed', parts: 0 });
    expect(snapshot?.reason).toContain(reason);
    expect(aws.calls.length).toBeLessThan(25);
  });

  test.each([
    ['names of 10 MB', vpcPage(['v'.repeat(10_000_000)]), 'characters; the limit is 4096'],
    [
      'items without id',
      xml('<R><vpcSet><item><state>x</state></item></vpcSet></R>'),
      'an item without {VpcId}',
    ],
    ['a page of a proxy', { body: '<!doctype html><html><title>Sign in</html>' }, 'does not have the form'],
    ['more than 32 MB', 'endless' as const, 'larger than'],
  ])('ends one kind with a reason if the answer has %s', async (_, answer, reason) => {
    aws.on('ec2 DescribeVpcs', () => answer);
    aws.on('ec2 DescribeSubnets', xml('<R><subnetSet><item><subnetId>s</subnetId></item></subnetSet></R>'));
    const sink = await readVpcs({ only: ['DescribeVpcs', 'DescribeSubnets'] });
    expect(sink.of(vpcs)).toMatchObject([{ status: 'failed', parts: 0 }]);
    expect(sink.of(vpcs)[0]?.reason).toContain(reason);
    expect(sink.of(vpcs)[0]?.reason.length).toBeLessThanOrEqual(500);
    expect(sink.of('LW_CFG_AWS_EC2_SUBNETS')).toMatchObject([{ status: 'collected' }]);
  });

  test('ends a kind with a reason if the answer has wrong types', async () => {
    aws.on('eks GET /clusters', json({ clusters: 5 }));
    aws.on('dynamodb ListTables', json({ TableNames: [{ deep: true }, 7] }));
    const sink = await collected(aws, { services: [eks, dynamodb] });
    expect(sink.snapshots).toHaveLength(7);
    for (const { status, reason } of sink.snapshots) {
      expect(status).toBe('failed');
      expect(reason).toMatch(/without \{\}|is not an array|does not have the form/);
    }
  });

  test('ends a kind with a reason if a document is nested without end', async () => {
    aws.on('s3 GET /', xml('<R><Buckets><Bucket><Name>one</Name></Bucket></Buckets></R>'));
    aws.on('s3 GET /one?location', location(''));
    aws.on('s3 GET /one?tagging', (call) => failure(call, 404, 'NoSuchTagSet'));
    aws.on('s3 GET /one?policy', { body: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` });
    const sink = await collected(aws, { services: [s3] });
    expect(sink.of('LW_CFG_AWS_S3_GET_BUCKET_POLICY')).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('nested more than 64 levels deep') },
    ]);
    expect(sink.of('LW_CFG_AWS_S3')).toMatchObject([{ status: 'collected' }]);
  });
});

describe('reads of each resource', () => {
  const buckets = (...names: string[]) =>
    xml(`<R><Buckets>${names.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('')}</Buckets></R>`);
  const policies = 'LW_CFG_AWS_S3_GET_BUCKET_POLICY';

  beforeEach(() => {
    aws.on('s3 GET /', buckets('one', 'two'));
    aws.on('s3 GET /one?location', location('eu-west-1'));
    aws.on('s3 GET /two?location', location(''));
    for (const name of ['one', 'two'])
      for (const part of ['acl', 'policy', 'policyStatus', 'publicAccessBlock', 'encryption', 'versioning'])
        aws.on(`s3 GET /${name}?${part}`, (call) => failure(call, 404, `NoSuch${part}`));
    for (const name of ['one', 'two'])
      aws.on(`s3 GET /${name}?tagging`, (call) => failure(call, 404, 'NoSuchTagSet'));
  });

  test('go to the region of the resource, and have its region and ARN', async () => {
    aws.on('s3 GET /one?policy', { body: '{"Statement":[]}' });
    aws.on('s3 GET /one?tagging', xml('<T><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></T>'));
    aws.on('s3 GET /two?tagging', (call) => failure(call, 403, 'AccessDenied'));
    const sink = await collected(aws, { services: [s3] });
    const rows = [...sink.of('LW_CFG_AWS_S3'), ...sink.of(policies)].flatMap(({ resources }) => resources);
    expect(rows.map(({ facts, tags }) => [facts.URN, facts.RESOURCE_REGION, tags])).toEqual([
      ['arn:aws:s3:::one', 'eu-west-1', '{"a":"b"}'],
      ['arn:aws:s3:::two', 'us-east-1', undefined],
      ['arn:aws:s3:::one', 'eu-west-1', '{"a":"b"}'],
      ['arn:aws:s3:::two', 'us-east-1', undefined],
    ]);
    expect(sink.configs(policies)).toEqual({
      'arn:aws:s3:::one': { Policy: { Statement: [] } },
      'arn:aws:s3:::two': {},
    });
    const asked = aws.calls.filter(({ name }) => name === 'GET /one?policy');
    expect(asked.map(({ region }) => region)).toEqual(['eu-west-1']);
  });

  test('that fail leave what is stored of that resource, and name the permission', async () => {
    aws.on('s3 GET /one?policy', (call) => failure(call, 403, 'AccessDenied', 'no'));
    const sink = await collected(aws, { services: [s3] });
    expect(sink.of(policies)).toMatchObject([
      {
        status: 'denied',
        reason: '1 of 2 could not be read. GetBucketPolicy of one in eu-west-1: AccessDenied: no',
        resources: [{ key: 'arn:aws:s3:::two' }],
        unread: [{ key: 'arn:aws:s3:::one', status: 'denied' }],
      },
    ]);
    expect(sink.of('LW_CFG_AWS_S3')).toMatchObject([{ status: 'collected' }]);
  });

  test('are left out for a resource that is unreadable itself, and its rows stay', async () => {
    aws.on('s3 GET /one?location', (call) => failure(call, 403, 'AccessDenied'));
    const sink = await collected(aws, { services: [s3] });
    for (const kind of ['LW_CFG_AWS_S3', policies])
      expect(sink.of(kind)).toMatchObject([
        { status: 'denied', unread: [{ key: 'arn:aws:s3:::one' }], resources: [{ key: 'arn:aws:s3:::two' }] },
      ]);
  });

  test('never follow a region that would lead to another host', async () => {
    aws.on('s3 GET /one?location', location('evil.example.com/'));
    const sink = await collected(aws, { services: [s3] });
    expect(sink.of(policies)).toMatchObject([{ status: 'failed' }]);
    expect(aws.calls.every(({ url }) => new URL(url).hostname === 'localhost')).toBe(true);
  });

  test('that return arrays are a gap of the kind if one of them fails', async () => {
    aws.on('eks GET /clusters', json({ clusters: ['a', 'b'] }));
    for (const name of ['a', 'b']) aws.on(`eks GET /clusters/${name}`, json({ cluster: { name } }));
    aws.on('eks GET /clusters/a/node-groups', json({ nodegroups: ['n'] }));
    aws.on('eks GET /clusters/a/node-groups/n', json({ nodegroup: { nodegroupName: 'n' } }));
    aws.on('eks GET /clusters/b/node-groups', (call) => failure(call, 403, 'AccessDeniedException', 'no'));
    const sink = await collected(aws, { services: [eks] });
    expect(Object.keys(sink.configs('LW_CFG_AWS_EKS_CLUSTERS'))).toHaveLength(2);
    for (const kind of ['LW_CFG_AWS_EKS_NODEGROUPS', 'LW_CFG_AWS_EKS_DESCRIBE_NODEGROUP'])
      expect(sink.of(kind)).toMatchObject([
        { status: 'denied', reason: expect.stringContaining('ListNodegroups of b'), resources: [], parts: 0 },
      ]);
  });

  test('of a resource that was deleted meanwhile have no rows, or empty ones', async () => {
    aws.on('dynamodb ListTables', json({ TableNames: ['t'] }));
    const gone = 'ResourceNotFoundException';
    aws.on('dynamodb DescribeTable', (call) => failure(call, 400, gone));
    aws.on('dynamodb DescribeContinuousBackups', (call) => failure(call, 400, gone));
    const sink = await collected(aws, { services: [dynamodb] });
    const arn = 'arn:aws:dynamodb:us-east-1:123456789012:table/t';
    expect(sink.configs('LW_CFG_AWS_DYNAMODB_TABLES_DESCRIBE_TABLE')).toEqual({ [arn]: {} });
  });
});
