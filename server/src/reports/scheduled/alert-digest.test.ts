import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { ManualClock } from '../../testing/clock.ts';
import { countedReads } from '../../testing/counted-reads.ts';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import { alertDigest } from './alert-digest.ts';
import { cloudAccountsOf } from './cloud-accounts.ts';
import type { ReportContent, ReportMessage } from './report-message.ts';

const ownerId = 'OWNER';
const start = Date.parse('2026-02-28T00:00:00.000Z');
const day = 86_400_000;
/** Half of them are about the account of the group. */
const alerts = 3_000;
const groups = { ownerId, filters: { resourceGroups: ['SHOP', 'DISABLED', 'DELETED'] } };
let place: TestPlace;
let store: ControlStore;
beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, new ManualClock());
  await store.housekeeping(async (tx) => {
    await tx
      .insertInto('resource_groups')
      .values([group('SHOP', '111111111111'), { ...group('DISABLED', '222222222222'), enabled: 0 }])
      .execute();
    for (let from = 1; from <= alerts; from += 500)
      await tx
        .insertInto('alerts')
        .values(Array.from({ length: 500 }, (_, at) => alert(from + at)))
        .execute();
  });
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

function group(id: string, account: string): Tables['resource_groups'] {
  const query = {
    filters: { f: { field: 'Account', operation: 'EQUALS', values: [account] } },
    expression: { operator: 'AND', children: [{ filterName: 'f' }] },
  };
  return {
    ...{ id, owner_id: ownerId, type: 'AWS', name: id, description: '', enabled: 1, is_default: 0 },
    ...{ query: JSON.stringify(query), props: null },
    ...{ created_at: start, created_by: 'test', updated_at: start, updated_by: 'test' },
  };
}

function alert(id: number): Tables['alerts'] {
  const accountId = id % 2 ? '111111111111' : '222222222222';
  return {
    ...{ id, owner_id: ownerId, policy_id: 'lacework-global-1', window_start: id, round: 0 },
    ...{ alert_name: `Alert ${id}`, alert_type: 'NewViolations', severity: 'High', status: 'Open' },
    ...{ alert_info: '{}', alert_spec: null, reachability: 'UnknownReachability', violations: 1, listed: 1 },
    derived_fields: '{"category":"Policy","sub_category":"Compliance","source":"AWS"}',
    entity_map: JSON.stringify({ Resource: [{ KEY: { accountId }, PROPS: {} }] }),
    ...{ start_at: start + id, end_at: start + id, created_at: start, updated_at: start, marks: '{}' },
    ...{ user_updated_at: null, close_reason: null, is_routed: 0 },
    ...{ first_event_at: null, last_event_at: null },
  };
}

const digest = (read: ControlStore['read'], filter: typeof groups) => {
  const content: Extract<ReportContent, { kind: 'alerts' }> = {
    ...{ kind: 'alerts', alerts: { title: 'Alerts', source: 'AWS' }, severities: [], groups: filter },
  };
  const message: ReportMessage = {
    ...{ deliveryId: 'D', ownerId, account: 'local', start, end: start + day, content },
  };
  return alertDigest({ read }, message, content);
};

test('reads the groups of a rule once for all alerts', async () => {
  const { read, count } = countedReads(store.read, 'resource_groups');
  expect((await digest(read, groups)).subject).toBe('Alerts on 2026-02-28: 1,500 alerts');
  expect(count()).toBe(1);
  const deleted = { ownerId, filters: { resourceGroups: ['DELETED'] } };
  expect((await digest(store.read, deleted)).subject).toBe('Alerts on 2026-02-28: none');
});

test('reads the groups of a rule once for all cloud accounts', async () => {
  const { read, count } = countedReads(store.read, 'resource_groups');
  const known = ['111111111111', '222222222222', '333333333333'].map((id) => ({ id, name: id, parent: '' }));
  const telemetry = { resources: { cloudAccounts: async () => known } } as unknown as Telemetry;
  const deps = { store: { read } as ControlStore, telemetry };
  const selected = await cloudAccountsOf(deps, { id: ownerId, name: 'local' }, 'AWS', groups);
  expect(selected.map(({ id }) => id)).toEqual(['111111111111']);
  expect(count()).toBe(1);
});

test('lets other callbacks run while it reads many alerts', async () => {
  let turns = 0;
  let timer = setImmediate(function turn() {
    turns++;
    timer = setImmediate(turn);
  });
  const { subject } = await digest(store.read, { ownerId, filters: { resourceGroups: [] } });
  clearImmediate(timer);
  expect(subject).toBe('Alerts on 2026-02-28: 3,000 alerts');
  expect(turns).toBeGreaterThan(0);
});
