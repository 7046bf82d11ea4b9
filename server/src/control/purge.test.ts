import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { purgeOwner } from './purge.ts';
import { ControlStore } from './store.ts';
import type { Tables } from './tables.ts';

let place: TestPlace;
let store: ControlStore;
beforeAll(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, new ManualClock());
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

test('all rows of an owner are deleted, also those without an id, and other owners keep theirs', async () => {
  const violation = (owner_id: string, at: number): Tables['violations'] => ({
    ...{ owner_id, policy_id: `policy-${at % 3}`, place: 'here', key: `key-${at}`, name: 'x' },
    ...{ alert_id: null, exception_id: null, first_at: 0, last_at: 0 },
  });
  await store.housekeeping(async (tx) => {
    for (let from = 0; from < 6_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => violation('GONE', from + at));
      await tx.insertInto('violations').values(rows).execute();
    }
    await tx.insertInto('violations').values(violation('STAYS', 1)).execute();
    await tx
      .insertInto('activity_summaries')
      .values({
        ...{ owner_id: 'GONE', place: 'here', stream: 's', leased_until: 0, through: 0, sequence: 0 },
        ...{ is_ahead: 0, run: null },
      })
      .execute();
  });
  await purgeOwner(store, 'GONE');
  const left = await store.read.selectFrom('violations').select('owner_id').execute();
  expect(left).toEqual([{ owner_id: 'STAYS' }]);
  expect(await store.read.selectFrom('activity_summaries').selectAll().execute()).toEqual([]);
});
