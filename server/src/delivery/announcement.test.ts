import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AlertMessage } from '../alerts/alert-message.ts';
import { sampleFinding, sampleViolation } from '../alerts/alerts.sample.ts';
import { Alerts } from '../alerts/alerts.ts';
import type { Finding } from '../alerts/finding.ts';
import { maxMessageBytes } from '../alerts/message-of.ts';
import { SenderSite } from '../testing/sender-site.ts';
import { Deliveries } from './deliveries.ts';
import type { Sender } from './sender.ts';

const minute = 60_000;
const window = 5 * minute;
let site: SenderSite;
let sender: Sender;
let alerts: Alerts;
beforeEach(async () => {
  site = await SenderSite.start();
  sender = site.newSender();
  alerts = new Alerts({ store: site.store, clock: site.clock, router: site.router });
});
afterEach(async () => {
  await sender.stop();
  await site.stop();
});

async function rule(channels: readonly string[], filters: object = {}): Promise<void> {
  const row = {
    ...{ id: `RULE_${channels.join()}`, owner_id: 'OWNER', family: 'AlertRules', report_types: null },
    ...{ filters: JSON.stringify({ name: 'all', enabled: 1, ...filters }), updated_by: 'tester' },
    ...{ channels: JSON.stringify(channels), updated_at: 0 },
  };
  await site.store.housekeeping((tx) => tx.insertInto('rules').values(row).execute());
}

const raise = (names: readonly string[], rest: Partial<Finding> = {}) =>
  site.store.housekeeping((tx) => {
    const listed = names.map((name) => sampleViolation(name));
    return alerts.raise(tx, sampleFinding('OWNER', site.clock.now(), { listed, ...rest }));
  });

const close = (alertId: number) =>
  alerts.close({ actor: site.actor, userId: 'USER', alertId }, { reason: 1, comment: '' }, async () => ({
    result: undefined,
  }));

interface Sent {
  readonly occasion: string;
  readonly alert: Pick<AlertMessage, 'entities' | 'newEntities' | 'violations'>;
}
const sent = () => site.receiver.received.map(({ body }) => JSON.parse(body) as Sent);
const arn = (name: string) => `arn:aws:s3:::${name}`;
const resources = (names: readonly string[]) => [
  { kind: 'Resource', names: names.map(arn), total: names.length },
];

describe('announcements of violations that join a sent alert', () => {
  test('are sent together after the window, in order of arrival', async () => {
    await rule([await site.newChannel()]);
    await raise(['one']);
    await sender.drain();
    await raise(['two']);
    await site.drainAt(sender, window - 1);
    await raise(['three', 'two']);
    expect(sent().map(({ occasion }) => occasion)).toEqual(['opened']);
    await site.drainAt(sender, 1);
    const [, announced, ...more] = sent();
    expect(more).toEqual([]);
    expect(announced).toMatchObject({
      occasion: 'updated',
      alert: {
        violations: 4,
        entities: resources(['one', 'two', 'three']),
        newEntities: resources(['two', 'three']),
      },
    });
    const entries = await site.store.read
      .selectFrom('alert_entries')
      .select('message')
      .orderBy('id')
      .execute();
    expect(entries.at(-1)).toEqual({ message: "The update of the alert was sent to Webhook 'hook'." });
  });

  test('are sent once per window', async () => {
    await rule([await site.newChannel()]);
    await raise(['first']);
    await sender.drain();
    const at: number[] = [];
    site.receiver.react = () => {
      at.push(site.clock.now());
      return {};
    };
    for (let turn = 0; turn < 40; turn++) {
      await raise([`b-${turn}`]);
      await site.drainAt(sender, minute);
    }
    await site.drainAt(sender, window);
    const names = sent().flatMap(({ alert: { newEntities = [] } }) =>
      newEntities.flatMap((some) => some.names),
    );
    expect(names).toEqual(Array.from({ length: 40 }, (_, turn) => arn(`b-${turn}`)));
    for (const [index, time] of at.entries())
      if (index > 0) expect(time - (at[index - 1] ?? 0)).toBeGreaterThanOrEqual(window);
  });

  test('wait a full window after an announcement that is being retried', async () => {
    await rule([await site.newChannel()]);
    await raise(['one']);
    await sender.drain();
    await raise(['two']);
    site.receiver.react = () => ({ status: 503 });
    await site.drainAt(sender, window);
    await raise(['three']);
    const [failed, next] = await site.store.read
      .selectFrom('deliveries')
      .select(['due_at', 'attempts'])
      .where('occasion', '=', 'updated')
      .orderBy('window_start')
      .execute();
    expect([failed?.attempts, next?.attempts]).toEqual([1, 0]);
    expect((next?.due_at ?? 0) - (failed?.due_at ?? 0)).toBe(window);
  });

  test('are not sent without new entities', async () => {
    await rule([await site.newChannel()]);
    await raise(['one']);
    await sender.drain();
    await raise(['one']);
    await site.drainAt(sender, window);
    expect(sent()).toHaveLength(1);
  });

  test('report the count if the alert lists no more violations', async () => {
    await rule([await site.newChannel()]);
    await raise(['one'], { limit: 1 });
    await sender.drain();
    await raise(['two'], { limit: 1 });
    await site.drainAt(sender, window);
    expect(sent()[1]).toMatchObject({ occasion: 'updated', alert: { violations: 2, newEntities: [] } });
  });

  test('are merged into the first message if that is not sent yet', async () => {
    await rule([await site.newChannel()]);
    await raise(['one']);
    await raise(['two']);
    await site.drainAt(sender, window);
    expect(sent()).toMatchObject([{ occasion: 'opened', alert: { entities: resources(['one', 'two']) } }]);
  });

  test('are sent only to channels whose rules match', async () => {
    const [all, some] = [await site.newChannel('all'), await site.newChannel('some')];
    await rule([all]);
    await rule([some], { severity: [2] });
    await raise(['one']);
    await sender.drain();
    await site.store.housekeeping((tx) =>
      tx
        .updateTable('rules')
        .set({ filters: '{"name":"off","enabled":0}' })
        .where('id', '=', `RULE_${some}`)
        .execute(),
    );
    await raise(['two']);
    const rows = (await site.rows()).filter(({ occasion }) => occasion === 'updated');
    expect(rows.map(({ channel_id }) => channel_id)).toEqual([all]);
  });

  test('of ten thousand violations are one message within the size limit', async () => {
    await rule([await site.newChannel()]);
    await raise(['first']);
    await sender.drain();
    for (let turn = 0; turn < 20; turn++)
      await raise(
        Array.from({ length: 500 }, (_, at) => `bucket-${turn}-${at}`),
        { limit: 10_001 },
      );
    const [row, ...more] = (await site.rows()).filter(({ occasion }) => occasion === 'updated');
    expect(more).toEqual([]);
    expect(Buffer.byteLength(row?.message ?? '')).toBeLessThanOrEqual(maxMessageBytes);
    const { newEntities } = JSON.parse(row?.message ?? '') as AlertMessage;
    expect(newEntities?.[0]?.total).toBeGreaterThan(1_000);
    expect(newEntities?.[0]?.names[0]).toBe(arn('bucket-0-0'));
  });
});

describe('an announcement', () => {
  test('is not sent after the alert was closed, even if it is being retried', async () => {
    await rule([await site.newChannel()]);
    const { alertId } = await raise(['one']);
    await sender.drain();
    await raise(['two']);
    site.receiver.react = () => ({ status: 503 });
    await site.drainAt(sender, window);
    await raise(['three']);
    site.receiver.forget();
    site.receiver.react = () => ({});
    await close(alertId);
    await site.drainAt(sender, 60 * minute);
    expect(sent().map(({ occasion }) => occasion)).toEqual(['closed']);
    const states = (await site.rows()).map(({ occasion, state, problem }) => [occasion, state, problem]);
    expect(states.sort()).toEqual([
      ['closed', 'delivered', null],
      ['opened', 'delivered', null],
      ['updated', 'dead', 'The alert was closed before the message was sent.'],
    ]);
  });

  test('is not counted as late while it waits for the end of its window', async () => {
    await rule([await site.newChannel()]);
    await raise(['one']);
    await sender.drain();
    await raise(['two']);
    site.clock.advance(window - 1);
    const deliveries = new Deliveries(site.store, site.clock);
    expect(await deliveries.counts()).toMatchObject({ waiting: 1, oldest: 0 });
  });
});

test('every entity is announced once, for any order of joins, waits, failures and restarts', async () => {
  const channel = await site.newChannel();
  await rule([channel]);
  const step = fc.oneof(
    fc.record({ join: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ wait: fc.integer({ min: 1, max: 8 * minute }) }),
    fc.constant({ restart: true }),
    fc.constant({ fail: true }),
  );
  let policies = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const policyId = `policy-${++policies}`;
      const windowStart = 0;
      let count = 0;
      site.receiver.forget();
      site.receiver.react = () => ({});
      await raise([`${count++}`], { policyId, windowStart });
      await sender.drain();
      for (const one of steps) {
        if ('join' in one)
          await raise(
            Array.from({ length: one.join }, () => `${count++}`),
            { policyId, windowStart },
          );
        else if ('wait' in one) await site.drainAt(sender, one.wait);
        else if ('restart' in one) sender = site.newSender();
        else {
          site.receiver.react = () => ({ status: 503 });
          await site.drainAt(sender, window);
          site.receiver.react = () => ({});
        }
      }
      for (let turn = 0; turn < 3; turn++) await site.drainAt(sender, 2 * 60 * minute);
      const rows = await site.rows();
      rows.sort((one, other) => one.window_start - other.window_start);
      const messages = rows.map(({ message, state }) => {
        expect(state).toBe('delivered');
        return JSON.parse(message) as AlertMessage;
      });
      const own = messages.filter((message) => message.policyId === policyId);
      const announced = own.flatMap(({ occasion, entities, newEntities = [] }) =>
        (occasion === 'opened' ? entities : newEntities).flatMap(({ names }) => names),
      );
      expect(announced).toEqual(Array.from({ length: count }, (_, at) => arn(`${at}`)));
    }),
    { numRuns: 15 },
  );
}, 120_000);
