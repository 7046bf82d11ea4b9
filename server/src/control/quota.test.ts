import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { checkQuota } from './quota.ts';
import { ControlStore, type ControlTransaction } from './store.ts';

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

const rule = (id: string, { owner = 'owner', family = 'AlertRules', filters = '{}' } = {}) => ({
  ...{ id, owner_id: owner, family, filters, channels: '[]', report_types: null },
  ...{ updated_at: 0, updated_by: 'a test' },
});

async function insert(tx: ControlTransaction, rows: readonly ReturnType<typeof rule>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1_000)
    await tx
      .insertInto('rules')
      .values(rows.slice(at, at + 1_000))
      .execute();
}

const add = (row: ReturnType<typeof rule>) =>
  store.housekeeping(async (tx) => {
    await insert(tx, [row]);
    await checkQuota(tx, 'rules', row);
  });

const change = (row: ReturnType<typeof rule>, filters: string) =>
  store.housekeeping(async (tx) => {
    await tx.updateTable('rules').set({ filters }).where('id', '=', row.id).execute();
    await checkQuota(tx, 'rules', { ...row, filters }, row);
  });

const count = async () => (await store.read.selectFrom('rules').select('id').execute()).length;

test('an owner has at most 10,000 records per family, independent of other families and owners', async () => {
  const rows = Array.from({ length: 9_999 }, (_, at) => rule(`rule ${at}`));
  await store.housekeeping((tx) => insert(tx, rows));
  await add(rule('the last'));
  await expect(add(rule('one more'))).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The account already has 10000 rules in AlertRules, the maximum: delete one first.',
  });
  expect(await count()).toBe(10_000);
  await add(rule('another family', { family: 'ReportRules' }));
  await add(rule('another owner', { owner: 'other' }));
  await change(rule('the last'), '{"longer":1}');
});

test('the records of a family take at most 32 MiB, and may always become shorter', async () => {
  const filters = JSON.stringify('é'.repeat(1_000_000));
  const rows = Array.from({ length: 16 }, (_, at) => rule(`rule ${at}`, { filters }));
  for (const row of rows) await add(row);
  const long = rule('long', { filters });
  const refusal = {
    code: 'CONFLICT',
    message: expect.stringMatching(
      /^The rules in AlertRules of the account would take 34\d{6} bytes, more than the maximum of 33554432: /,
    ),
  };
  await expect(add(long)).rejects.toMatchObject(refusal);
  expect(await count()).toBe(16);
  const small = rule('small');
  await add(small);
  await expect(change(small, filters)).rejects.toMatchObject(refusal);
  await store.housekeeping((tx) => insert(tx, [long]));
  await change(long, filters.slice(1));
  await change(long, '{}');
  await change(small, '{"longer":1}');
});
