import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlStore } from '../control/store.ts';
import type { TableName } from '../control/tables.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { addDelivery } from '../testing/deliveries.ts';
import { hour, sampleAlerts, sampleFinding } from './alerts.sample.ts';
import type { Alerts } from './alerts.ts';
import { deleteExpiredAlerts } from './retention.ts';

const day = 24 * hour;
const ownerId = 'OWNER';
let place: TestPlace;
let store: ControlStore;
let clock: ManualClock;
let alerts: Alerts;
beforeEach(async () => {
  clock = new ManualClock();
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
  alerts = sampleAlerts(store, clock);
  const created_at = clock.now();
  await store.housekeeping(async (tx) => {
    await tx.insertInto('organizations').values({ id: 'ORG', name: 'org', created_at }).execute();
    const account = { id: ownerId, organization_id: 'ORG', name: 'local', created_at };
    await tx.insertInto('accounts').values(account).execute();
  });
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const raise = async (policyId: string) => {
  const finding = sampleFinding(ownerId, clock.now(), { policyId });
  return (await store.housekeeping((tx) => alerts.raise(tx, finding))).alertId;
};
const task = (alertId: number) => ({
  actor: { userName: 'ann@example.com', ownerId, accountName: 'local', act: 'Alert Changed' },
  userId: 'USER',
  alertId,
});
const close = (alertId: number) =>
  alerts.close(task(alertId), { reason: 1, comment: '' }, async () => ({ result: undefined }));
const forget = () => deleteExpiredAlerts(store, clock.now() - 90 * day);
const idsIn = async (table: TableName, column = 'alert_id') => {
  const rows = await store.read
    .selectFrom(table as 'alerts')
    .selectAll()
    .execute();
  const ids = rows.map((row) => Number((row as unknown as Record<string, unknown>)[column]));
  return [...new Set(ids)].sort((one, other) => one - other);
};

describe('retention of alerts without recent changes', () => {
  test('deletes an expired alert with its timeline and messages, and keeps newer ones', async () => {
    const old = await raise('old');
    await close(old);
    const open = await raise('open');
    for (const state of ['delivered', 'dead'] as const) {
      const id = await addDelivery(store, clock.now(), { ownerId, channelId: state, alertId: old });
      await store.housekeeping((tx) =>
        tx.updateTable('deliveries').set({ state }).where('id', '=', id).execute(),
      );
    }
    clock.advance(2 * day);
    const young = await raise('young');
    await addDelivery(store, clock.now(), { ownerId, channelId: 'C', alertId: young });
    clock.advance(88 * day);
    await forget();
    expect(await idsIn('alerts', 'id')).toEqual([old, open, young]);
    clock.advance(1);
    await forget();
    expect(await idsIn('alerts', 'id')).toEqual([young]);
    for (const table of ['alert_entries', 'alert_entities', 'deliveries'] as const)
      expect([table, await idsIn(table)]).toEqual([table, [young]]);
    expect(await raise('next')).toBe(young + 1);
  });

  test('keeps an alert with an open violation, a waiting message or a recent comment', async () => {
    const open = await raise('open');
    const waiting = await raise('waiting');
    const discussed = await raise('discussed');
    const none = await raise('none');
    const violation = { owner_id: ownerId, policy_id: 'open', place: 'local', key: 'k', name: 'n' };
    await store.housekeeping((tx) =>
      tx
        .insertInto('violations')
        .values({
          ...{ ...violation, alert_id: open, exception_id: null },
          ...{ first_at: clock.now(), last_at: clock.now() },
        })
        .execute(),
    );
    await addDelivery(store, clock.now(), { ownerId, channelId: 'C', alertId: waiting });
    clock.advance(50 * day);
    await alerts.comment(task(discussed), 'Still looking.', 'plaintext');
    clock.advance(50 * day);
    await forget();
    expect(await idsIn('alerts', 'id')).toEqual([open, waiting, discussed]);
    expect(await idsIn('alert_entries')).not.toContain(none);
    await store.housekeeping((tx) => tx.deleteFrom('violations').execute());
    await forget();
    expect(await idsIn('alerts', 'id')).toEqual([waiting, discussed]);
  });

  test('deletes expired alerts beyond the first batch', async () => {
    const first = await raise('first');
    const row = await store.read.selectFrom('alerts').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 450 }, (_, index) => ({
      ...{ ...row, id: first + 1 + index, policy_id: index < 250 ? 'kept' : 'deleted', round: index },
    }));
    await store.housekeeping(async (tx) => {
      for (let from = 0; from < copies.length; from += 50)
        await tx
          .insertInto('alerts')
          .values(copies.slice(from, from + 50))
          .execute();
    });
    for (const { id, policy_id } of copies)
      if (policy_id === 'kept')
        await addDelivery(store, clock.now(), { ownerId, channelId: 'C', alertId: id });
    clock.advance(91 * day);
    await forget();
    expect(await idsIn('alerts', 'id')).toEqual(copies.slice(0, 250).map(({ id }) => id));
  });
});
