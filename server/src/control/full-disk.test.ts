import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusalOf } from '../http/error-reply.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace, testOnSqlite } from '../testing/database.ts';
import { ControlStore } from './store.ts';

let place: TestPlace;
let store: ControlStore;
beforeEach(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, new ManualClock());
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const message = (id: number) => ({
  ...{ id: `message ${id}`, owner_id: 'owner', topic: 'x', payload: 'x'.repeat(10_000) },
  ...{ created_at: 0, due_at: 0, attempts: 0 },
});

testOnSqlite('a change that exceeds the disk is refused with the reason and rolled back', async () => {
  const { page_count } = (await sql<{ page_count: number }>`pragma page_count`.execute(store.read))
    .rows[0] as { page_count: number };
  const limit = (pages: number) =>
    store.housekeeping((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx));
  await limit(page_count + 5);
  const change = store.housekeeping(async (tx) => {
    for (let id = 0; id < 20; id++) await tx.insertInto('outbox').values(message(id)).execute();
  });
  await expect(change).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    status: 503,
    retryAfter: 60,
    message: expect.stringContaining('The disk of the control store is full and nothing was changed'),
  });
  expect(await store.read.selectFrom('outbox').select('id').execute()).toEqual([]);
  await limit(1_000_000);
  await store.housekeeping((tx) => tx.insertInto('outbox').values(message(1)).execute());
  expect(await store.read.selectFrom('outbox').select('id').execute()).toHaveLength(1);
});

test('a full disk of other files is not reported as that of the control store', () => {
  const refusal = refusalOf(Object.assign(new Error('inner detail'), { code: 'ENOSPC' }));
  expect(refusal).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('Internal error') });
});
