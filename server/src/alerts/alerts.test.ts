import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { hour, sampleAlerts, sampleFinding, sampleViolation } from './alerts.sample.ts';
import type { Alerts } from './alerts.ts';
import type { CloseReason } from './close-reasons.ts';
import type { Finding } from './finding.ts';
import { allows } from './life-cycle.ts';

let place: TestPlace;
let store: ControlStore;
let other: ControlStore;
const clock = new ManualClock();
let alerts: Alerts;
let owners = 0;
const newOwner = () => `owner ${++owners}`;

beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  other = await ControlStore.open(place.controlUrl, clock);
  alerts = sampleAlerts(store, clock);
});
afterAll(async () => {
  await other.close();
  await store.close();
  await place.remove();
});

const raise = (ownerId: string, rest: Partial<Finding> = {}) =>
  store.housekeeping((tx) => alerts.raise(tx, sampleFinding(ownerId, clock.now(), rest)));
const taskOf = (ownerId: string, alertId: number, act = 'Alert Closed') => ({
  actor: { userName: 'ann@example.com', ownerId, accountName: 'local', act },
  userId: 'USER_1',
  alertId,
});
const close = (ownerId: string, alertId: number, reason: CloseReason = 1, comment = '') =>
  alerts.close(taskOf(ownerId, alertId), { reason, comment }, async () => ({ result: undefined }));
const rowsOf = (ownerId: string) =>
  store.read.selectFrom('alerts').selectAll().where('owner_id', '=', ownerId).orderBy('id').execute();
const timelineOf = async (ownerId: string, alertId: number) =>
  (
    await store.read
      .selectFrom('alert_entries')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('alert_id', '=', alertId)
      .orderBy('id')
      .execute()
  ).map(({ entry_type, message }) => [entry_type, message]);

describe('alerts of violations', () => {
  test('one alert per policy and hour counts and lists its violations', async () => {
    const owner = newOwner();
    expect(await raise(owner)).toEqual({ alertId: 1, isNew: true, added: 1 });
    const more = [sampleViolation('media'), sampleViolation('logs')];
    expect(await raise(owner, { listed: more, total: 12 })).toEqual({ alertId: 1, isNew: false, added: 2 });
    const [row] = await rowsOf(owner);
    expect(row).toMatchObject({
      violations: 13,
      listed: 3,
      status: 'Open',
      start_at: clock.now(),
      is_routed: 0,
    });
    expect(JSON.parse(row?.entity_map ?? '')).toEqual({
      Resource: ['logs', 'media'].map((name) => ({
        KEY: { name: 's3:bucket', value: `arn:aws:s3:::${name}` },
        PROPS: { region: 'eu-west-1' },
      })),
    });
    expect(await timelineOf(owner, 1)).toEqual([
      ['Opened', '1 violation: logs.'],
      ['Routing', 'No alert rule matches, so nothing is sent.'],
      ['NewViolations', '12 more violations: media, logs, 10 more.'],
    ]);
  });

  test('joining violations move the end time, keep the start time and widen the event times', async () => {
    const owner = newOwner();
    const began = clock.now();
    await raise(owner, { firstEventAt: began - 5_000, lastEventAt: began - 4_000 });
    clock.advance(1_000);
    await raise(owner, { listed: [sampleViolation('media')], firstEventAt: 7, lastEventAt: began - 4_500 });
    const times = { start_at: began, end_at: began + 1_000, first_event_at: 7, last_event_at: began - 4_000 };
    expect(await rowsOf(owner)).toMatchObject([times]);
    clock.advance(1_000);
    await raise(owner, { listed: [sampleViolation('state')] });
    expect(await rowsOf(owner)).toMatchObject([{ ...times, end_at: began + 2_000 }]);
  });

  test('host names appear in the timeline and the entities, but not in the marks for exceptions', async () => {
    const owner = newOwner();
    const on = (mid: number, hostname?: string) =>
      sampleViolation('sudo', {
        ...{ key: `${mid}`, name: `sudo on ${mid}`, shownName: `sudo on ${hostname ?? mid}`, hostname },
        row: { MID: mid, PATH: '/usr/bin/sudo' },
        entities: [
          { kind: 'Machine', key: { mid }, props: {} },
          { kind: 'File', key: { path: '/usr/bin/sudo' }, props: { mid } },
        ],
      });
    await raise(owner, { listed: [on(1, 'web-1.example'), on(2, 'web-2.example'), on(3)] });
    const [row] = await rowsOf(owner);
    expect(JSON.parse(row?.entity_map ?? '')).toEqual({
      Machine: [
        { KEY: { mid: 1 }, PROPS: { hostname: 'web-1.example' } },
        { KEY: { mid: 2 }, PROPS: { hostname: 'web-2.example' } },
        { KEY: { mid: 3 }, PROPS: {} },
      ],
      File: [
        {
          KEY: { path: '/usr/bin/sudo' },
          PROPS: { mid: 1, hostname_list: ['web-1.example', 'web-2.example'] },
        },
      ],
    });
    expect((await timelineOf(owner, 1))[0]).toEqual([
      'Opened',
      '3 violations: sudo on web-1.example, sudo on web-2.example, sudo on 3.',
    ]);
    expect(row?.marks).not.toContain('web-1.example');
  });

  test('another policy, hour or owner gets a separate alert', async () => {
    const owner = newOwner();
    await raise(owner);
    expect(await raise(owner, { policyId: 'lacework-global-1' })).toEqual({
      alertId: 2,
      isNew: true,
      added: 1,
    });
    const windowStart = Math.floor(clock.now() / hour) * hour + hour;
    expect(await raise(owner, { windowStart })).toEqual({ alertId: 3, isNew: true, added: 1 });
    expect(await raise(newOwner())).toEqual({ alertId: 1, isNew: true, added: 1 });
  });

  test('violations after closing open a new alert', async () => {
    const owner = newOwner();
    const { alertId } = await raise(owner);
    await close(owner, alertId);
    expect(await raise(owner)).toEqual({ alertId: 2, isNew: true, added: 1 });
    expect(await raise(owner)).toEqual({ alertId: 2, isNew: false, added: 1 });
    expect((await rowsOf(owner)).map(({ round, status }) => [round, status])).toEqual([
      [0, 'Closed'],
      [1, 'Open'],
    ]);
  });

  test('thousands of violations keep the alert and its timeline within bounds', async () => {
    const owner = newOwner();
    const long = { text: 'x'.repeat(20_000) };
    for (let round = 0; round < 20; round++) {
      const listed = Array.from({ length: 100 }, (_, index) => {
        const key = { value: `bucket ${round} ${index}` };
        return sampleViolation(`b-${round}-${index}`, { entities: [{ kind: 'Resource', key, props: long }] });
      });
      await raise(owner, { listed, total: 500, limit: 150 });
    }
    const [row] = await rowsOf(owner);
    expect([row?.violations, row?.listed]).toEqual([10_000, 49]);
    expect(row?.entity_map.length).toBeLessThanOrEqual(1_000_000);
    const timeline = await timelineOf(owner, 1);
    expect(timeline).toHaveLength(3);
    expect(timeline[2]).toEqual(['NewViolations', expect.stringMatching(/^9500 more violations: b-1-0,/)]);
    expect(timeline[2]?.[1]?.length).toBeLessThan(500);
  });

  test('the policy limit caps listed violations, and an oversized entity keeps only its key', async () => {
    const owner = newOwner();
    const listed = ['a', 'b', 'c'].map((name) => sampleViolation(name));
    await raise(owner, { listed, limit: 2 });
    const [few] = await rowsOf(owner);
    expect([few?.listed, JSON.parse(few?.entity_map ?? '').Resource.length]).toEqual([2, 2]);
    const huge = [
      { kind: 'File', key: { path: '/a', size: 2n ** 63n }, props: { text: 'x'.repeat(100_000) } },
    ];
    await raise(owner, { policyId: 'other', listed: [sampleViolation('a', { entities: huge })] });
    const [, shortened] = await rowsOf(owner);
    expect(JSON.parse(shortened?.entity_map ?? '')).toEqual({
      File: [{ KEY: { path: '/a', size: '9223372036854775808' }, PROPS: {} }],
    });
  });

  test('cleared violations appear in the timeline, also of a closed alert', async () => {
    const owner = newOwner();
    const { alertId } = await raise(owner);
    await close(owner, alertId, 3);
    const clear = (because: 'resolved' | 'excepted', ...names: string[]) =>
      store.housekeeping((tx) =>
        alerts.clear(tx, { ownerId: owner, alertId, names, total: names.length, because }),
      );
    await clear('resolved', 'logs');
    await clear('resolved', 'media');
    await clear('excepted', 'web');
    expect((await timelineOf(owner, alertId)).slice(2)).toEqual([
      ['Closed', 'Closed: Malicious and have resolution in place'],
      ['ClearedViolations', '2 violations resolved: logs, media.'],
      ['ClearedViolations', '1 violation covered by an exception: web.'],
    ]);
    expect((await rowsOf(owner))[0]?.status).toBe('Closed');
  });

  test('concurrent findings of two nodes make one alert', async () => {
    // SQLite supports one node only.
    const second = store.dialect === 'postgres' ? other : store;
    const elsewhere = sampleAlerts(second, clock);
    // A lost update needs another transaction to commit between two statements: not every round has one.
    for (let round = 0; round < 20; round++) {
      const owner = newOwner();
      const finding = (name: string) =>
        sampleFinding(owner, clock.now(), { listed: [sampleViolation(name)] });
      const raised = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0
            ? store.housekeeping((tx) => alerts.raise(tx, finding(`b${index}`)))
            : second.housekeeping((tx) => elsewhere.raise(tx, finding(`b${index}`))),
        ),
      );
      expect(new Set(raised.map(({ alertId }) => alertId)).size).toBe(1);
      expect(raised.filter(({ isNew }) => isNew)).toHaveLength(1);
      const [row, further] = await rowsOf(owner);
      expect([row?.violations, row?.listed, further]).toEqual([10, 10, undefined]);
    }
  });
});

const reason = fc.integer({ min: 0, max: 5 }).map((number) => number as CloseReason);
const which = fc.nat({ max: 3 });
const operation = fc.oneof(
  fc.record({ does: fc.constant('raise' as const), hourOf: fc.nat({ max: 1 }) }),
  fc.record({ does: fc.constant('comment' as const), which, text: fc.string({ minLength: 1 }) }),
  fc.record({ does: fc.constant('close' as const), which, reason, comment: fc.string() }),
  fc.record({ does: fc.constant('clear' as const), which }),
);

describe('the life cycle of alerts', () => {
  test('closed alerts never reopen, for any sequence of operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 15 }), async (operations) => {
        const owner = newOwner();
        const expected = new Map<number, { status: 'Open' | 'Closed'; hourOf: number; comments: number }>();
        for (const each of operations) {
          if (each.does === 'raise') {
            const windowStart = (each.hourOf + 480_000) * hour;
            const joined = [...expected].find(
              ([, { status, hourOf }]) => status === 'Open' && hourOf === each.hourOf,
            );
            const raised = await raise(owner, { windowStart });
            expect(raised.isNew).toBe(joined === undefined);
            if (joined) expect(raised.alertId).toBe(joined[0]);
            else expected.set(raised.alertId, { status: 'Open', hourOf: each.hourOf, comments: 0 });
            continue;
          }
          const alertId = each.which + 1;
          const known = expected.get(alertId);
          const task = taskOf(owner, alertId);
          if (each.does === 'clear') {
            if (!known) continue;
            const cleared = {
              ownerId: owner,
              alertId,
              names: ['logs'],
              total: 1,
              because: 'resolved' as const,
            };
            await store.housekeeping((tx) => alerts.clear(tx, cleared));
            continue;
          }
          const done =
            each.does === 'comment'
              ? alerts.comment(task, each.text, 'markdown').then(() => 'done')
              : close(owner, alertId, each.reason, each.comment).then(() => 'done');
          const outcome = await done.catch((error: { code: string }) => error.code);
          if (!known) expect(outcome).toBe('NOT_FOUND');
          else if (!allows(known.status, each.does)) expect(outcome).toBe('CONFLICT');
          else {
            expect(outcome).toBe('done');
            if (each.does === 'comment') known.comments += 1;
            else known.status = 'Closed';
          }
        }
        const rows = await rowsOf(owner);
        expect(rows.map(({ id, status }) => [id, status])).toEqual(
          [...expected].map(([id, { status }]) => [id, status]),
        );
        for (const [id, { comments, status }] of expected) {
          const types = (await timelineOf(owner, id)).map(([type]) => type);
          expect(types.filter((type) => type === 'Comment')).toHaveLength(comments);
          expect(types.filter((type) => type === 'Closed')).toHaveLength(status === 'Closed' ? 1 : 0);
        }
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 25) },
    );
  });

  test('closing twice fails with the message that clients match', async () => {
    const owner = newOwner();
    const { alertId } = await raise(owner);
    await close(owner, alertId, 0, 'no reason');
    await expect(close(owner, alertId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The action on this alert is not allowed/),
    });
  });
});
