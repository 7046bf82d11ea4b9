import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestCollector } from '../../testing/collector.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let collector: TestCollector;
const hour = 60 * 60_000;
let noon: number;
const kind = 'LW_CFG_AWS_EC2_INSTANCES';
const arn = (name: string) => `arn:aws:ec2:eu-west-1:123456789012:instance/${name}`;
const instance = (name: string, size: string) => ({
  ...{ key: arn(name), resourceId: name, resourceType: 'ec2:instance', resourceRegion: 'eu-west-1' },
  ...{ service: 'ec2', apiKey: 'describe-instances', accountAlias: 'production', tags: { Name: name } },
  config: { InstanceType: size, State: { Name: 'running' }, Cores: size === 'small' ? 2 : 16 },
});
const bucket = (name: string) => ({
  ...{
    key: `arn:aws:s3:::${name}`,
    resourceId: name,
    resourceType: 's3:bucket',
    resourceRegion: 'us-east-1',
  },
  config: { Name: name },
});

beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('other');
  collector = await TestCollector.of(service);
  const now = service.clock.now();
  noon = now - (now % hour) - 6 * hour;
  const small = [instance('i-1', 'small'), instance('i-2', 'small')];
  await collector.snapshot({ kind, started: noon, resources: small });
  const changed = [instance('i-1', 'large'), instance('i-3', 'small')];
  await collector.snapshot({ kind, started: noon + 2 * hour, resources: changed });
  const buckets = { kind: 'LW_CFG_AWS_S3', region: 'aws-global', started: noon + 2 * hour };
  await collector.snapshot({ ...buckets, resources: [bucket('logs')] });
  const project = { csp: 'gcp', cloudAccount: 'organizations/42', region: 'global', started: noon };
  await collector.snapshot({
    ...{ ...project, kind: 'LW_CFG_GCP_COMPUTE_INSTANCE' },
    resources: [
      {
        key: '//compute/vm',
        config: { id: '1' },
        organizationId: '42',
        projectId: 'shop',
        projectName: 'Web shop',
      },
      { key: '//compute/vm2', config: { id: '2' }, organizationId: '42', projectId: 'lab' },
    ],
  });
  const subscription = { csp: 'azure', cloudAccount: 'ab-1', region: 'global', started: noon };
  await collector.snapshot({
    ...{ ...subscription, kind: 'LW_CFG_AZURE_COMPUTE_DISKS' },
    resources: [
      {
        key: '/subscriptions/ab-1/disk',
        config: {},
        tenantId: 't-1',
        subscriptionId: 'ab-1',
        subscriptionName: 'Main',
      },
    ],
  });
});
afterAll(() => service.stop());

const iso = (instant: number) => new Date(instant).toISOString();
async function search(body: object, account = 'local') {
  const headers = { 'Account-Name': account };
  return service.request('POST', '/api/v2/Inventory/search', { token: await service.token(), body, headers });
}
const range = (start: number, end: number) => ({ startTime: iso(start), endTime: iso(end) });
const found = async (body: object) =>
  (await search({ csp: 'AWS', ...body })).body.data
    .map((row: { resourceId: string }) => row.resourceId)
    .sort();

describe('POST /Inventory/search', () => {
  test('returns what was there at the last collection in the range, in the form that clients read', async () => {
    const { status, body } = await search({ csp: 'AWS' });
    expect([status, body.paging]).toEqual([200, { rows: 3, totalRows: 3, urls: { nextPage: null } }]);
    expect(body.data.find((row: { resourceId: string }) => row.resourceId === 'i-1')).toEqual({
      ...{ startTime: iso(noon + 2 * hour), endTime: iso(noon + 3 * hour), urn: arn('i-1'), csp: 'AWS' },
      cloudDetails: { accountID: '123456789012', accountAlias: 'production' },
      ...{ resourceId: 'i-1', resourceType: 'ec2:instance', resourceRegion: 'eu-west-1' },
      resourceTags: { Name: 'i-1' },
      resourceConfig: { InstanceType: 'large', State: { Name: 'running' }, Cores: 16 },
      ...{ service: 'ec2', apiKey: 'describe-instances' },
      status: { formatVersion: 2, props: {}, status: 'success' },
    });
    expect((await search({ csp: 'AWS' }, 'other')).body.data).toEqual([]);
  });

  test('returns the state of an earlier collection, and nothing if the range has none', async () => {
    expect(await found({ timeFilter: range(noon, noon + hour) })).toEqual(['i-1', 'i-2']);
    expect(await found({ timeFilter: range(noon + 2 * hour, noon + 3 * hour) })).toEqual([
      'i-1',
      'i-3',
      'logs',
    ]);
    expect(await found({ timeFilter: range(noon + 3 * hour, noon + 4 * hour) })).toEqual([]);
    expect(await found({ timeFilter: range(noon - 2 * hour, noon) })).toEqual([]);
  });

  test('returns the state at any time with asOf', async () => {
    expect(await found({ asOf: iso(noon - 1) })).toEqual([]);
    expect(await found({ asOf: iso(noon + hour) })).toEqual(['i-1', 'i-2']);
    expect(await found({ asOf: iso(noon + 5 * hour) })).toEqual(['i-1', 'i-3', 'logs']);
    const wrong = await search({ csp: 'AWS', asOf: 'yesterday' });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      expect.stringContaining("asOf 'yesterday' is not a time"),
    ]);
  });

  test.each([
    ['urn', 'eq', { value: arn('i-1') }, ['i-1']],
    ['resourceId', 'in', { values: ['i-3', 'logs'] }, ['i-3', 'logs']],
    ['resourceType', 'ne', { value: 's3:bucket' }, ['i-1', 'i-3']],
    ['resourceRegion', 'like', { value: 'us-%' }, ['logs']],
    ['csp', 'eq', { value: 'AWS' }, ['i-1', 'i-3', 'logs']],
    ['cloudDetails.accountID', 'eq', { value: '123456789012' }, ['i-1', 'i-3', 'logs']],
    ['cloudDetails.accountAlias', 'eq', { value: 'production' }, ['i-1', 'i-3']],
    ['resourceConfig.InstanceType', 'eq', { value: 'large' }, ['i-1']],
    ['resourceConfig.State.Name', 'ilike', { value: 'RUN%' }, ['i-1', 'i-3']],
    ['resourceConfig.Cores', 'gt', { value: '8' }, ['i-1']],
    ['resourceTags.Name', 'eq', { value: 'i-3' }, ['i-3']],
    ['resourceTags.Name', 'ne', { value: 'i-3' }, ['i-1', 'logs']],
    ['status.status', 'eq', { value: 'success' }, ['i-1', 'i-3', 'logs']],
  ])('filters by %s %s', async (field, expression, value, expected) => {
    expect(await found({ filters: [{ field, expression, ...value }] })).toEqual(expected);
  });

  test('returns only the members asked for', async () => {
    const filters = [{ field: 'resourceId', expression: 'eq', value: 'logs' }];
    const { body } = await search({ csp: 'AWS', filters, returns: ['urn', 'resourceTags'] });
    expect(body.data).toEqual([{ urn: 'arn:aws:s3:::logs' }]);
  });

  test('takes exactly one of csp and dataset, or both for the same provider', async () => {
    const total = async (body: object) => (await search(body)).body.paging?.totalRows;
    expect(await total({ csp: '', dataset: 'AwsCompliance' })).toBe(3);
    expect(await total({ csp: 'AWS', dataset: 'AwsCompliance' })).toBe(3);
    expect(await total({ csp: 'AWS', dataset: '' })).toBe(3);
    expect(await total({ csp: 'GCP' })).toBe(2);
    expect(await total({ csp: 'K8s' })).toBe(0);
    const messages = [
      [{}, 'csp is required: one of AWS, Azure, GCP, K8s.'],
      [{ csp: 'AWS', dataset: 'GcpCompliance' }, "dataset 'GcpCompliance' is not of AWS: omit it."],
      [{ csp: 'IBM' }, expect.stringContaining('csp must be')],
    ];
    for (const [body, message] of messages) {
      const answer = await search(body as object);
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
  });
});

test('GET /Inventory/versions lists the versions of a resource, newest first', async () => {
  const read = async (urn: string, account = 'local') =>
    service.request('GET', `/api/v2/Inventory/versions?csp=AWS&urn=${encodeURIComponent(urn)}`, {
      token: await service.token(),
      headers: { 'Account-Name': account },
    });
  const { body } = await read(arn('i-1'));
  expect(body.data).toMatchObject([
    {
      urn: arn('i-1'),
      resourceConfig: { InstanceType: 'large' },
      validFrom: iso(noon + 2 * hour),
      validUntil: null,
    },
    { resourceConfig: { InstanceType: 'small' }, validFrom: iso(noon), validUntil: iso(noon + 2 * hour) },
  ]);
  expect((await read(arn('i-1'), 'other')).body).toEqual({ data: [] });
  expect((await read('nothing')).body).toEqual({ data: [] });
});

describe('Configs', () => {
  const get = async (path: string, account = 'local') => {
    const headers = { 'Account-Name': account };
    return (
      await service.request('GET', `/api/v2/Configs/${path}`, { token: await service.token(), headers })
    ).body;
  };

  test('lists subscriptions by tenant, and projects by organization', async () => {
    const tenant = { tenant: 't-1', subscriptions: ['AB-1 (Main)'] };
    expect(await get('AzureSubscriptions')).toEqual({ data: [tenant] });
    expect(await get('AzureSubscriptions?tenantId=T-1')).toEqual({ data: [tenant] });
    expect(await get('AzureSubscriptions?tenantId=t-2')).toEqual({ data: [] });
    const organization = { organization: '42', projects: ['lab', 'shop (Web shop)'] };
    expect(await get('GcpProjects')).toEqual({ data: [organization] });
    expect(await get('GcpProjects?orgId=43')).toEqual({ data: [] });
    expect(await get('GcpProjects', 'other')).toEqual({ data: [] });
  });
});
