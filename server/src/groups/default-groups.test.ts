import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectForWriting } from '../control/connect.ts';
import { migrate } from '../control/migrate.ts';
import { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { ManualClock } from '../testing/clock.ts';
import { createTestPlace, type TestPlace, testDialect } from '../testing/database.ts';
import { addDefaultGroups } from './default-groups.ts';

let place: TestPlace;
let store: ControlStore;
beforeAll(async () => {
  place = await createTestPlace();
  const db = await connectForWriting<Tables>(place.controlUrl);
  await migrate(db as Kysely<unknown>, testDialect, '0005-agent-tokens');
  await db.insertInto('organizations').values({ id: 'O', name: 'local', created_at: 7 }).execute();
  const account = { id: 'A', organization_id: 'O', name: 'local', created_at: 8 };
  await db.insertInto('accounts').values(account).execute();
  await db.destroy();
  store = await ControlStore.open(place.controlUrl, new ManualClock());
});
afterAll(async () => {
  await store.close();
  await place.remove();
});

const groupsOf = async (ownerId: string) => {
  const rows = await store.read
    .selectFrom('resource_groups')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('type')
    .execute();
  return rows.map(({ id, owner_id, query, ...row }) => ({ ...row, query: JSON.parse(query) }));
};

test('migration gives an existing account the same default groups as a new one', async () => {
  const owner = { name: 'local', administrator: 'admin@local' };
  await store.housekeeping(async (tx) => {
    await addDefaultGroups(tx, { ...owner, id: 'O2', isOrganization: true, createdAt: 7 });
    await addDefaultGroups(tx, { ...owner, id: 'A2', isOrganization: false, createdAt: 8 });
  });
  expect((await groupsOf('A')).map(({ type }) => type)).toEqual([
    ...['AWS', 'AZURE', 'CONTAINER', 'GCP', 'KUBERNETES', 'MACHINE', 'OCI'],
  ]);
  expect(await groupsOf('A')).toEqual(await groupsOf('A2'));
  expect(await groupsOf('O')).toEqual(await groupsOf('O2'));
  expect((await groupsOf('O')).map(({ type }) => type)).toContain('LW_ACCOUNT');
});
