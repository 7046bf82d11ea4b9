import { afterAll, beforeAll, expect, test } from 'vitest';
import { ControlStore } from '../../control/store.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { ManualClock } from '../../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import type { PlannedReport } from './report-plans.ts';
import { ReportSchedule } from './report-schedule.ts';

const day = 86_400_000;
let place: TestPlace;
let store: ControlStore;
const clock = new ManualClock();
beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

const report = (id: string, channels: number): PlannedReport => ({
  ...{ key: id, name: `trend of ${id}`, type: { kind: 'trend' }, frequency: 'daily', since: 0 },
  ...{
    accounts: [{ id, name: id }],
    groups: { ownerId: id, filters: { resourceGroups: [] } },
    severities: [],
    listedOnly: {},
  },
  channels: Array.from({ length: channels }, (_, index) => `CHANNEL_${index}`),
});

const queued = async (owner: string) =>
  (await store.read.selectFrom('deliveries').select('channel_id').where('owner_id', '=', owner).execute())
    .length;

test('queues each report once, and bounds the reports of an account that wait', async () => {
  const warnings: unknown[] = [];
  let reports = [report('GREEDY', 10_600), report('OTHER', 3)];
  const schedule = new ReportSchedule({
    ...{ store, clock, sendingHour: 6, telemetry: {} as Telemetry },
    plans: [{ reports: async () => reports }],
    log: { warn: (fields: unknown) => void warnings.push(fields) },
  });
  await schedule.update();
  expect([await queued('GREEDY'), await queued('OTHER')]).toEqual([10_000, 3]);
  expect(warnings).toEqual([{ account: 'GREEDY', report: 'trend of GREEDY' }]);
  await schedule.update();
  expect([await queued('GREEDY'), await queued('OTHER')]).toEqual([10_000, 3]);
  // A rule that was deleted and created again has lost its memory, but the queue has not.
  reports = [];
  await schedule.update();
  reports = [report('OTHER', 4)];
  await schedule.update();
  expect(await queued('OTHER')).toBe(4);
  clock.advance(day);
  await schedule.update();
  expect(await queued('OTHER')).toBe(8);
});

test('queues the other reports if one fails, and tries that one again without repeating the warning', async () => {
  const warnings: unknown[] = [];
  const searches: string[] = [];
  let problem: string | undefined = 'Too many searches are waiting.';
  const cloudAccounts = async (account: string) => {
    searches.push(account);
    if (account === 'BUSY' && problem) throw new Error(problem);
    return [{ id: '123456789012', name: 'shop', parent: '' }];
  };
  const compliance: PlannedReport = {
    ...report('ORGANIZATION', 1),
    name: 'CIS',
    accounts: ['BUSY', 'CALM'].map((id) => ({ id, name: id.toLowerCase() })),
    type: { kind: 'compliance', cloud: 'AWS', report: { reportType: 'AWS_CIS_14' } },
  };
  const schedule = new ReportSchedule({
    ...{ store, clock, sendingHour: 6, telemetry: { resources: { cloudAccounts } } as unknown as Telemetry },
    plans: [{ reports: async () => [compliance] }, { reports: async () => [report('LATER', 2)] }],
    log: { warn: (fields: unknown) => void warnings.push(fields) },
  });
  const all = async () => [await queued('BUSY'), await queued('CALM'), await queued('LATER')];
  await schedule.update();
  await schedule.update();
  expect(await all()).toEqual([0, 1, 2]);
  const warning = { account: 'busy', report: 'CIS' };
  expect(warnings).toEqual([{ ...warning, error: 'Error: Too many searches are waiting.' }]);
  problem = 'The disk failed.';
  await schedule.update();
  expect(warnings.slice(1)).toEqual([{ ...warning, error: 'Error: The disk failed.' }]);
  problem = undefined;
  await schedule.update();
  await schedule.update();
  expect(await all()).toEqual([1, 1, 2]);
  expect(searches).toEqual(['BUSY', 'CALM', 'BUSY', 'BUSY', 'BUSY']);
});

test('keeps what was sent until its period is over, however short the retention is', async () => {
  const monthly: PlannedReport = { ...report('MONTHLY', 1), frequency: 'monthly' };
  const started = () =>
    new ReportSchedule({
      ...{ store, clock, sendingHour: 6, telemetry: {} as Telemetry, log: { warn: () => {} } },
      plans: [{ reports: async () => [monthly] }],
    });
  const now = Date.parse('2026-05-01T06:00:00.000Z');
  clock.advance(now - clock.now());
  await started().update();
  await store.housekeeping((tx) => tx.updateTable('deliveries').set({ state: 'delivered' }).execute());
  const retain = async (days: number) => {
    await started().deleteBefore(clock.now() - days * day);
    await started().update();
    const rows = await store.read
      .selectFrom('deliveries')
      .selectAll()
      .where('owner_id', '=', 'MONTHLY')
      .execute();
    return rows.map(({ state }) => state);
  };
  clock.advance(31 * day - 1);
  expect(await retain(7)).toEqual(['delivered']);
  clock.advance(1);
  expect((await retain(7)).sort()).toEqual(['delivered', 'waiting']);
  clock.advance(5 * day);
  expect(await retain(90)).toHaveLength(2);
  expect(await retain(7)).toEqual(['waiting']);
});
