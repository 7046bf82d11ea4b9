import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tables } from '../control/tables.ts';
import { TestService } from '../testing/service.ts';
import type { AlertMessage } from './alert-message.ts';
import type { Violation } from './finding.ts';
import { maxMessageBytes, messageOf } from './message-of.ts';
import { Routing } from './routing.ts';

type Alert = Tables['alerts'];

let service: TestService;
let token: string;
let account: string;
let routing: Routing;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  const first = await service.store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  account = first.id;
  routing = new Routing({
    clock: service.clock,
    address: () => 'https://vedette.example.com',
    announcementWindow: 300_000,
    follows: async ({ type }) => type === 'Webhook',
  });
});
afterAll(() => service.stop());

interface Wish {
  readonly org?: boolean;
  readonly accountName?: string;
}

async function ask(method: string, path: string, body: unknown, { org, accountName }: Wish = {}) {
  const headers = {
    ...(org && { 'Org-Access': 'true' }),
    ...(accountName && { 'Account-Name': accountName }),
  };
  const answer = await service.request(method, `/api/v2/${path}`, { token, body, headers });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data;
}

async function channel(name: string, wish?: Wish): Promise<string> {
  const data = { webhookUrl: `https://example.com/${encodeURIComponent(name)}` };
  return (await ask('POST', 'AlertChannels', { name, type: 'Webhook', enabled: 1, data }, wish)).intgGuid;
}

async function rule(name: string, channels: string[], filters: object = {}, wish?: Wish): Promise<string> {
  const body = { type: 'Event', intgGuidList: channels, filters: { name, enabled: 1, ...filters } };
  return (await ask('POST', 'AlertRules', body, wish)).mcGuid;
}

async function group(name: string, resourceType: string, filter: object, wish?: Wish): Promise<string> {
  const query = {
    filters: { f: { operation: 'EQUALS', ...filter } },
    expression: { operator: 'AND', children: [{ filterName: 'f' }] },
  };
  const body = { name, resourceType, enabled: 1, query };
  return (await ask('POST', 'ResourceGroups', body, wish)).resourceGroupGuid;
}

let number = 0;
const alertOf = (given: Partial<Alert> = {}): Alert => {
  const now = service.clock.now();
  number += 1;
  return {
    ...{ id: number, owner_id: account, policy_id: 'lacework-global-1', window_start: number, round: 0 },
    ...{
      alert_name: 'Trail stopped',
      alert_type: 'CloudTrailDefaultAlert',
      severity: 'High',
      status: 'Open',
    },
    ...{ alert_info: '{"subject":"A subject","description":"A description"}', alert_spec: null },
    derived_fields: '{"category":"Policy","sub_category":"Cloud Activity","source":"AWS"}',
    entity_map: '{"CT_User":[{"KEY":{"username":"eve"},"PROPS":{}}]}',
    ...{ violations: 1, start_at: now, end_at: now + 3_600_000, user_updated_at: null, close_reason: null },
    ...{ is_routed: 0, created_at: now, updated_at: now, first_event_at: null, last_event_at: null },
    ...{ reachability: 'UnknownReachability', listed: 1, marks: '{}' },
    ...given,
  };
};

const event = (recipientAccountId: string): Violation => ({
  ...{ key: recipientAccountId, name: recipientAccountId, entities: [] },
  row: { EVENT: { recipientAccountId, awsRegion: 'us-east-1' } },
});

async function store(alert: Alert): Promise<Alert> {
  await service.store.housekeeping((tx) => tx.insertInto('alerts').values(alert).execute());
  return alert;
}

/** The names of the channels that an alert is routed to. */
async function routed(given: Partial<Alert> = {}, violations: readonly Violation[] = []): Promise<string[]> {
  const alert = await store(alertOf(given));
  await service.store.housekeeping((tx) => routing.route(tx, alert, violations));
  return channelsOf(alert);
}

async function channelsOf({ id }: Alert, occasion = 'opened'): Promise<string[]> {
  const rows = await service.store.read
    .selectFrom('deliveries')
    .innerJoin('integrations', 'integrations.id', 'channel_id')
    .select('integrations.name')
    .where('alert_id', '=', id)
    .where('deliveries.owner_id', '=', account)
    .where('occasion', '=', occasion)
    .execute();
  return rows.map(({ name }) => name).sort();
}

const deliveriesOf = ({ id }: Alert) =>
  service.store.read.selectFrom('deliveries').selectAll().where('alert_id', '=', id).orderBy('id').execute();

const routesOf = async ({ id }: Alert) => {
  const rows = await service.store.read
    .selectFrom('alert_entries')
    .selectAll()
    .where('alert_id', '=', id)
    .where('owner_id', '=', account)
    // The sender records its attempts in the same timeline.
    .where('entry_type', '=', 'Routing')
    .orderBy('id')
    .execute();
  return rows.map(({ entry_type, message }) => `${entry_type}: ${message}`);
};

beforeEach(() =>
  service.store.housekeeping(async (tx) => {
    await tx.deleteFrom('rules').execute();
    await tx.deleteFrom('deliveries').execute();
  }),
);

describe('routing of an alert', () => {
  test('without a matching rule, nothing is sent and one timeline entry says so', async () => {
    const alert = await store(alertOf());
    for (let turn = 0; turn < 2; turn++)
      await service.store.housekeeping((tx) => routing.route(tx, alert, [event('1')]));
    expect(await deliveriesOf(alert)).toEqual([]);
    expect(await routesOf(alert)).toEqual(['Routing: No alert rule matches, so nothing is sent.']);
    const row = await service.store.read
      .selectFrom('alerts')
      .select('is_routed')
      .where('id', '=', alert.id)
      .executeTakeFirst();
    expect(row).toEqual({ is_routed: 0 });
  });

  test('each channel of the matching rules gets the complete message once', async () => {
    const [ops, siem] = [await channel('ops'), await channel('siem')];
    await rule('everything', [ops]);
    await rule('high', [ops, siem], { severity: [2] });
    const alert = await store(alertOf());
    await service.store.housekeeping((tx) => routing.route(tx, alert, [event('1')]));
    const deliveries = await deliveriesOf(alert);
    expect(new Set(deliveries.map(({ channel_id }) => channel_id))).toEqual(new Set([ops, siem]));
    const now = service.clock.now();
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({
        ...{ owner_id: account, alert_id: alert.id, occasion: 'opened', state: 'waiting', attempts: 0 },
        ...{ due_at: now, created_at: now, problem: null, external: null },
      });
      expect(JSON.parse(delivery.message)).toEqual({
        ...{ deliveryId: delivery.id, occasion: 'opened', account: 'local', alertId: alert.id },
        ...{
          alertName: 'Trail stopped',
          alertType: 'CloudTrailDefaultAlert',
          severity: 'High',
          status: 'Open',
        },
        ...{ subject: 'A subject', description: 'A description', category: 'Policy' },
        ...{ subCategory: 'Cloud Activity', source: 'AWS', policyId: 'lacework-global-1', violations: 1 },
        ...{ startTime: '2026-03-01T12:00:00.000Z', endTime: '2026-03-01T13:00:00.000Z' },
        entities: [{ kind: 'CT_User', names: ['eve'], total: 1 }],
        link: `https://vedette.example.com/api/v2/Alerts/${alert.id}?scope=Details`,
      });
    }
    const [entry, ...more] = await routesOf(alert);
    expect(more).toEqual([]);
    expect(entry).toMatch(/^Routing: Goes to (?=.*Webhook 'ops')(?=.*Webhook 'siem').* by rules '/);
    const row = service.store.read.selectFrom('alerts').select('is_routed').where('id', '=', alert.id);
    expect(await row.executeTakeFirst()).toEqual({ is_routed: 1 });
  });

  test('rules match by severity, category, subcategory and source; a missing filter matches everything', async () => {
    const named = async (name: string, filters: object) => rule(name, [await channel(name)], filters);
    await named('severe', { severity: [1, 2] });
    await named('mild', { severity: [4, 5] });
    await named('policy', { category: ['Policy', 'Anomaly'], severity: [] });
    await named('composite', { category: ['Composite'] });
    await named('cloud', { subCategory: ['Cloud Activity'], source: ['AWS', 'GCP'] });
    await named('file', { subCategory: ['File'] });
    await named('agent', { source: ['Agent'], resourceGroups: null });
    await named('off', { enabled: 0 });
    expect(await routed()).toEqual(['cloud', 'policy', 'severe']);
    expect(await routed({ severity: 'Info', derived_fields: '{"sub_category":"File"}' })).toEqual([
      ...['file', 'mild'],
    ]);
  });

  test('disabled and deleted channels are skipped, with a timeline entry', async () => {
    const [off, deleted] = [await channel('off'), await channel('deleted')];
    await rule('both', [off, deleted]);
    await ask('PATCH', `AlertChannels/${off}`, { enabled: 0 });
    await ask('DELETE', `AlertChannels/${deleted}`, undefined);
    expect(await routed()).toEqual([]);
    const alert = await store(alertOf());
    await service.store.housekeeping((tx) => routing.route(tx, alert, []));
    expect(await routesOf(alert)).toEqual([
      `Routing: Nothing is sent: the channels of rule 'both' are disabled or deleted.`,
    ]);
  });

  test('rules of the account and its organization apply, those of other accounts do not', async () => {
    await service.accounts.create('other');
    const other = { accountName: 'other' };
    await rule('own', [await channel('own')]);
    await rule('whole', [await channel('whole', { org: true })], {}, { org: true });
    await rule('foreign', [await channel('foreign', other)], {}, other);
    expect(await routed()).toEqual(['own', 'whole']);
    const all = await group('all', 'LW_ACCOUNT', { field: 'Account', values: ['other'] }, { org: true });
    const here = await group('here', 'LW_ACCOUNT', { field: 'Account', values: ['LOCAL'] }, { org: true });
    const limited = async (name: string, guid: string) =>
      rule(name, [await channel(name, { org: true })], { resourceGroups: [guid] }, { org: true });
    await limited('for others', all);
    await limited('for this', here);
    expect(await routed()).toEqual(['for this', 'own', 'whole']);
  });
});

describe('resource groups of a rule', () => {
  test('limit the rule to alerts about one of their resources', async () => {
    const prod = await group('prod', 'AWS', { field: 'Account', values: ['111111111111'] });
    const test1 = await group('test', 'AWS', { field: 'Account', values: ['222222222222'] });
    await rule('prod', [await channel('prod')], { resourceGroups: [prod] });
    await rule('either', [await channel('either')], { resourceGroups: [test1, prod] });
    await rule('tests', [await channel('tests')], { resourceGroups: [test1] });
    expect(await routed({}, [event('333333333333'), event('111111111111')])).toEqual(['either', 'prod']);
    expect(await routed({}, [event('222222222222')])).toEqual(['either', 'tests']);
    expect(await routed({}, [event('333333333333')])).toEqual([]);
    expect(await routed({}, [])).toEqual([]);
  });

  test('match nothing if they are disabled, deleted or owned by another account', async () => {
    const filter = { field: 'Account', values: ['*'] };
    const off = await group('off', 'AWS', filter);
    await ask('PATCH', `ResourceGroups/${off}`, { enabled: 0 });
    const deleted = await group('deleted', 'AWS', filter);
    await ask('DELETE', `ResourceGroups/${deleted}`, undefined);
    const foreign = await group('foreign', 'AWS', filter, { org: true });
    const present = await group('present', 'AWS', filter);
    for (const [name, guid] of Object.entries({ off, deleted, foreign, present }))
      await rule(name, [await channel(name)], { resourceGroups: [guid] });
    expect(await routed({}, [event('1')])).toEqual(['present']);
  });

  test('route the alert to additional channels once when later violations match', async () => {
    const first = await group('first', 'AWS', { field: 'Account', values: ['111111111111'] });
    const second = await group('second', 'AWS', { field: 'Account', values: ['222222222222'] });
    await rule('first', [await channel('first')], { resourceGroups: [first] });
    await rule('second', [await channel('second')], { resourceGroups: [second] });
    const alert = await store(alertOf());
    for (const id of ['111111111111', '111111111111', '222222222222', '222222222222'])
      await service.store.housekeeping((tx) => routing.route(tx, alert, [event(id)]));
    expect(await channelsOf(alert)).toEqual(['first', 'second']);
    expect(await routesOf(alert)).toEqual([
      `Routing: Goes to Webhook 'first' by rule 'first'.`,
      `Routing: Goes to Webhook 'second' by rule 'second'.`,
    ]);
  });

  test('a hundred rules with a thousand violations are evaluated quickly', async () => {
    const guid = await group('model', 'AWS', { field: 'Resource Tag', key: 'Env', values: ['none', '123'] });
    const model = await rule('model', [await channel('many')], { resourceGroups: [guid] });
    // Copied in one transaction: a busy disk takes a second for each commit.
    await service.store.housekeeping(async (tx) => {
      const one = await tx.selectFrom('resource_groups').selectAll().where('id', '=', guid).execute();
      const its = await tx.selectFrom('rules').selectAll().where('id', '=', model).execute();
      for (let index = 0; index < 100; index++) {
        const copyOf = (text: string) =>
          text.replaceAll(guid, `${guid}${index}`).replaceAll('none', `o${index}`);
        const groups = one.map((row) => ({ ...row, id: copyOf(row.id), query: copyOf(row.query) }));
        await tx.insertInto('resource_groups').values(groups).execute();
        const rules = its.map((row) => ({ ...row, id: `${row.id}${index}`, filters: copyOf(row.filters) }));
        await tx.insertInto('rules').values(rules).execute();
      }
    });
    const violations = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ key: `${index}`, name: `${index}`, entities: [] },
      row: { ARN: `arn:aws:s3:::b${index}`, ACCOUNT_ID: '111111111111', RESOURCE_TAGS: { Env: `${index}x` } },
    }));
    const alert = await store(alertOf());
    await service.store.housekeeping((tx) => routing.route(tx, alert, violations));
    expect(await channelsOf(alert)).toEqual([]);
  });
});

test('the closing message reaches enabled channels that received the alert and follow its status', async () => {
  const informed = await channel('informed');
  const dead = await channel('dead');
  const off = await channel('off');
  const data = { slackUrl: 'https://example.com/slack' };
  const slack = await ask('POST', 'AlertChannels', { name: 'slack', type: 'SlackChannel', enabled: 1, data });
  await rule('all', [informed, dead, off, slack.intgGuid]);
  const alert = await store(alertOf());
  await service.store.housekeeping((tx) => routing.route(tx, alert, []));
  await channel('late');
  await service.store.housekeeping((tx) =>
    tx.updateTable('deliveries').set({ state: 'dead' }).where('channel_id', '=', dead).execute(),
  );
  await ask('PATCH', `AlertChannels/${off}`, { enabled: 0 });
  const closed = { ...alert, status: 'Closed', violations: 7 };
  for (let turn = 0; turn < 2; turn++) await service.store.housekeeping((tx) => routing.closed(tx, closed));
  expect(await channelsOf(alert, 'closed')).toEqual(['informed']);
  const all = await deliveriesOf(alert);
  const messages = all.map(({ message }) => JSON.parse(message) as AlertMessage);
  const opening = messages.find(
    ({ occasion }, index) => occasion === 'opened' && all[index]?.channel_id === informed,
  );
  const closing = all.find(({ occasion }) => occasion === 'closed');
  expect(JSON.parse(closing?.message ?? '')).toEqual({
    ...opening,
    ...{ deliveryId: closing?.id, occasion: 'closed', status: 'Closed', violations: 7 },
  });
  expect(closing?.id).not.toBe(opening?.deliveryId);
});

describe('an alert message', () => {
  const telling = { deliveryId: 'd', account: 'local', link: 'https://vedette.example.com' };

  test('names the first entities and counts all of them', () => {
    const hosts = Array.from({ length: 5_000 }, (_, mid) => ({
      KEY: { mid },
      PROPS: { hostname: `host-${mid}` },
    }));
    const entity_map = JSON.stringify({ Machine: hosts, Odd: [{ KEY: { a: 1, b: 'two', c: { d: 1 } } }] });
    const { entities } = messageOf(alertOf({ entity_map, violations: 10_000 }), telling);
    expect(entities).toEqual([
      { kind: 'Machine', names: hosts.slice(0, 20).map(({ PROPS }) => PROPS.hostname), total: 5_000 },
      { kind: 'Odd', names: ['1 two'], total: 1 },
    ]);
  });

  test('stays within its size limit and valid UTF-8 for any content', () => {
    const strings = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '\u0001', '😀', 'é', '"'), minLength: 500, maxLength: 6_000 }),
      fc.string(),
    );
    const entities = fc.array(fc.record({ KEY: fc.dictionary(strings, strings, { maxKeys: 2 }) }), {
      maxLength: 30,
    });
    const given = fc.record({
      ...{ name: strings, subject: strings, description: strings, category: strings },
      map: fc.dictionary(strings, entities, { maxKeys: 30, noNullPrototype: true }),
    });
    fc.assert(
      fc.property(given, ({ name, subject, description, category, map }) => {
        const message = messageOf(
          alertOf({
            ...{ alert_name: name, alert_info: JSON.stringify({ subject, description }) },
            ...{ derived_fields: JSON.stringify({ category }), entity_map: JSON.stringify(map) },
          }),
          telling,
        );
        const text = JSON.stringify(message);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxMessageBytes);
        expect(Buffer.from(text).toString()).toBe(text);
        if (name.length <= 500) expect(message.alertName).toBe(name);
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 100) },
    );
  });
});
