import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, snapshotDigestOf } from '../../telemetry/resource-digest.ts';
import { TestAgent } from '../../testing/agent.ts';
import { TestCollector } from '../../testing/collector.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let collector: TestCollector;
let noon: number;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  await service.accounts.create('other');
  collector = await TestCollector.of(service);
  noon = service.clock.now() - 60 * 60_000;
});
afterAll(() => service.stop());

const kind = 'LW_CFG_AWS_EC2_INSTANCES';
const instance = (name: string, config: unknown = { InstanceType: 't3.micro' }) => ({
  ...{ key: `arn:aws:ec2:eu-west-1:123456789012:instance/${name}`, resourceId: name, config },
  ...{ resourceType: 'ec2:instance', resourceRegion: 'eu-west-1', tags: { Name: name } },
});

/** Id, type, region, account, configuration and tags of the instances of an account. */
async function instances(account = 'local', since = noon): Promise<Record<string, unknown>[]> {
  const names =
    'RESOURCE_ID, RESOURCE_TYPE, RESOURCE_REGION, ACCOUNT_ID, ARN, RESOURCE_CONFIG, RESOURCE_TAGS';
  const answer = await service.request('POST', '/api/v2/Queries/execute', {
    token: await service.token(),
    headers: { 'Account-Name': account },
    body: {
      query: { queryText: `{ source { ${kind} } return distinct { ${names} } }` },
      arguments: [
        { name: 'StartTimeRange', value: new Date(since).toISOString() },
        { name: 'EndTimeRange', value: new Date(service.clock.now()).toISOString() },
      ],
    },
  });
  expect(answer.status).toBe(200);
  return answer.body.data.toSorted((a: { RESOURCE_ID: string }, b: { RESOURCE_ID: string }) =>
    a.RESOURCE_ID < b.RESOURCE_ID ? -1 : 1,
  );
}

describe('a snapshot', () => {
  test('in one request is stored with all its columns, for its account only', async () => {
    const sent = await collector.snapshot({ kind, started: noon, resources: [instance('i-1')] });
    expect([sent.status, sent.body]).toEqual([200, { data: { received: 1, opened: 1, closed: 0 } }]);
    expect(await instances()).toEqual([
      {
        ...{ RESOURCE_ID: 'i-1', RESOURCE_TYPE: 'ec2:instance', RESOURCE_REGION: 'eu-west-1' },
        ...{ ACCOUNT_ID: '123456789012', ARN: instance('i-1').key },
        ...{ RESOURCE_CONFIG: { InstanceType: 't3.micro' }, RESOURCE_TAGS: { Name: 'i-1' } },
      },
    ]);
    expect(await instances('other')).toEqual([]);
  });

  test('in parts is resumed where it was interrupted', async () => {
    const started = noon + 1_000;
    const first = await collector.send({ kind, started, part: 1, resources: [instance('i-1')] });
    expect(first.body).toEqual({ data: { received: 1, opened: 0, closed: 0 } });
    expect(await instances()).toHaveLength(1);
    await collector.send({ kind, started, part: 3, resources: [instance('i-3')] });
    expect((await collector.parts({ kind, started })).body).toEqual({ data: { parts: [1, 3] } });
    const query = `&status=collected&ended=${started + 1}&parts=3`;
    const early = await collector.send({ kind, started, query });
    expect([early.status, early.body.message]).toEqual([
      409,
      '2 of 3 parts were received: send the missing parts, then finish the snapshot.',
    ]);
    const config = '{"exact": 9007199254740993}';
    const last = await collector.send({
      kind,
      started,
      part: 2,
      query,
      resources: [instance('i-2', config)],
    });
    expect(last.body).toEqual({ data: { received: 1, opened: 2, closed: 0 } });
    expect((await instances()).map(({ RESOURCE_ID }) => RESOURCE_ID)).toEqual(['i-1', 'i-2', 'i-3']);
    const again = await collector.send({
      kind,
      started,
      part: 2,
      query,
      resources: [instance('i-2', config)],
    });
    expect(again.body).toEqual({ data: { received: 1, opened: 0, closed: 0 } });
  });

  test('that was denied leaves the resources as they are', async () => {
    const started = noon + 2_000;
    const query = `&status=denied&ended=${started}&parts=0&reason=ec2:DescribeInstances`;
    expect((await collector.send({ kind, started, query })).body.data).toEqual({
      ...{ received: 0, opened: 0, closed: 0 },
    });
    expect(await instances()).toHaveLength(3);
    const unread = { key: instance('i-3').key, status: 'denied', reason: 'no' };
    const partly = { kind, started: noon + 3_000, resources: [instance('i-1'), unread] };
    expect((await collector.snapshot(partly)).body.data).toEqual({ received: 2, opened: 0, closed: 1 });
    const left = await instances('local', noon + 3_000);
    expect(left.map(({ RESOURCE_ID }) => RESOURCE_ID)).toEqual(['i-1', 'i-3']);
  });

  test('may name resources by digest: those that are stored so need not be sent', async () => {
    const digest = (name: string, config = '{"InstanceType":"t3.micro"}') => {
      const { key, resourceType, resourceRegion } = instance(name);
      return digestOf({
        facts: {
          ...{ URN: key, RESOURCE_ID: name, RESOURCE_TYPE: resourceType, RESOURCE_REGION: resourceRegion },
          ACCOUNT_ID: '123456789012',
        },
        ...{ config, tags: `{"Name":"${name}"}` },
      });
    };
    const started = noon + 4_000;
    const resources = ['i-1', 'i-4'].map((name) => ({ key: instance(name).key, digest: digest(name) }));
    const sent = await collector.send({ kind, started, resources });
    expect(sent.body.data).toEqual({ received: 1, opened: 0, closed: 0, missing: [instance('i-4').key] });
    const query = `&status=collected&ended=${started + 1}&parts=2`;
    const rest = await collector.send({ kind, started, part: 2, query, resources: [instance('i-4')] });
    expect(rest.body.data).toEqual({ received: 1, opened: 1, closed: 1 });
    const now = await instances('local', started);
    expect(now.map(({ RESOURCE_ID }) => RESOURCE_ID)).toEqual(['i-1', 'i-4']);
  });

  test('that is stored already ends by one digest of all its resources', async () => {
    const name = 'LW_CFG_AWS_EC2_VPCS';
    const other = await TestCollector.of(service, 'other');
    const digestIn = (config: string) =>
      snapshotDigestOf([
        {
          key: 'vpc-1',
          digest: digestOf({
            ...{ facts: { URN: 'vpc-1', ACCOUNT_ID: '123456789012' }, config, tags: undefined },
          }),
        },
      ]);
    const end = (started: number, digest: string) =>
      other.send({
        ...{ kind: name, started, query: `&status=collected&ended=${started}&parts=1&digest=${digest}` },
      });
    const nothing = { received: 0, opened: 0, closed: 0 };
    expect((await end(noon, digestIn('{}'))).body.data).toEqual({ ...nothing, differs: 'new' });
    await other.snapshot({ kind: name, started: noon, resources: [{ key: 'vpc-1', config: '{}' }] });
    expect((await end(noon + 1, digestIn('{}'))).body.data).toEqual(nothing);
    expect((await end(noon + 2, digestIn('{"a":1}'))).body.data).toEqual({ ...nothing, differs: 'changed' });
  });

  test.each([
    [
      'a kind of another provider',
      { kind: 'LW_CFG_GCP_COMPUTE_INSTANCE' },
      "kind 'LW_CFG_GCP_COMPUTE_INSTANCE' is not",
    ],
    [
      'an unknown kind',
      { kind: 'LW_CFG_AWS_NOTHING' },
      "kind 'LW_CFG_AWS_NOTHING' is not a datasource of aws",
    ],
    ['an unknown provider', { csp: 'ibm' }, 'csp'],
    ['a start in the future', { started: 4_000_000_000_000 }, 'started is more than a day ahead'],
    ['a status without an end', { query: '&status=empty&parts=0' }, 'ended is required with status'],
    ['a status without parts', { query: '&status=empty&ended=1' }, 'parts is required with status'],
    [
      'a digest and parts',
      { query: `&status=collected&ended=1&parts=2&digest=${'0'.repeat(64)}` },
      'digest is for a snapshot whose only part is not sent',
    ],
    ['an unknown status', { query: '&status=fine' }, 'status must be'],
    ['a resource without a key', { resources: [{ config: {} }] }, 'records[0].key is required'],
    ['a configuration that is no object', { resources: [instance('a', 1)] }, 'records[0].config'],
    ['a string that is not JSON', { resources: [instance('a', '{')] }, 'not valid JSON'],
    ['an empty string', { resources: [instance('a', '')] }, 'not valid JSON'],
  ])('with %s is refused by the field', async (_, wrong, message) => {
    const answer = await collector.send({ kind, started: noon + 9_000, ...wrong });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('tokens', () => {
  test("a host agent's token may not send resources", async () => {
    const agent = await TestAgent.of(service);
    const path = `resources/aws/1/${kind}/eu-west-1?started=${noon}&part=1`;
    const answer = await agent.send([JSON.stringify(instance('i-1'))], { path });
    expect([answer.status, answer.body.message]).toEqual([
      403,
      'The token was made for a host agent: use one that was made for a collector.',
    ]);
  });

  test("a collector's token may not send what hosts report, but the events of clouds", async () => {
    const send = (path: string, body: string) =>
      service.request('POST', `/ingest/v1/${path}`, {
        ...{ token: collector.token, body },
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const host = await send('Activities/DNSs', '{}');
    expect([host.status, host.body.message]).toEqual([
      403,
      'The token was made for a collector: use one that was made for a host agent.',
    ]);
    expect((await send('CloudTrailRawEvents', '{}')).status).toBe(400);
  });

  test('its purpose is shown and never changes', async () => {
    const token = await service.token();
    const path = `/api/v2/AgentAccessTokens/${collector.token}`;
    const changed = await service.request('PATCH', path, {
      token,
      body: { tokenPurpose: 'agent', tokenEnabled: 1 },
    });
    expect([changed.status, changed.body.data.tokenPurpose]).toEqual([200, 'collector']);
  });
});

test('the results of collections are a datasource of their own', async () => {
  const names =
    'CSP, CLOUD_ACCOUNT, REGION, DATASOURCE, STATUS, REASON, RESOURCES, UNREAD, BATCH_START_TIME, COLLECTED_TIME';
  const results = async (end: number) => {
    const answer = await service.request('POST', '/api/v2/Queries/execute', {
      token: await service.token(),
      body: {
        query: { queryText: `{ source { LW_COLLECTION_SCOPES } return { ${names} } }` },
        arguments: [
          { name: 'StartTimeRange', value: new Date(noon).toISOString() },
          { name: 'EndTimeRange', value: new Date(end).toISOString() },
        ],
      },
    });
    return answer.body.data;
  };
  const scope = { CSP: 'AWS', CLOUD_ACCOUNT: '123456789012', REGION: 'eu-west-1', DATASOURCE: kind };
  const iso = (instant: number) => new Date(instant).toISOString();
  expect(await results(noon + 2_500)).toEqual([
    {
      ...{ ...scope, STATUS: 'denied', REASON: 'ec2:DescribeInstances', RESOURCES: 0, UNREAD: [] },
      ...{ BATCH_START_TIME: iso(noon + 2_000), COLLECTED_TIME: iso(noon + 1_000) },
    },
  ]);
  expect(await results(noon + 3_500)).toMatchObject([
    { RESOURCES: 1, UNREAD: [{ key: instance('i-3').key, status: 'denied', reason: 'no' }] },
  ]);
  expect(await results(service.clock.now())).toEqual([
    {
      ...{ ...scope, STATUS: 'collected', REASON: '', RESOURCES: 2, UNREAD: [] },
      ...{ BATCH_START_TIME: iso(noon + 4_000), COLLECTED_TIME: iso(noon + 4_000) },
    },
  ]);
});
