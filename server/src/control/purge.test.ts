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

const definitionVersion = (owner_id: string, version: number): Tables['report_definition_versions'] => ({
  ...{ id: `definition of ${owner_id}`, owner_id, version, report_name: 'x', display_name: 'x' },
  ...{ report_type: 'COMPLIANCE', sub_report_type: 'AWS', report_notification_type: null },
  ...{ report_definition: '{}', props: '{}', distribution_type: null, alert_channels: '[]' },
  ...{ frequency: null, enabled: 1, update_type: 'Create', updated_at: 0, updated_by: 'a test' },
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
    const versions = [1, 2, 3].map((version) => definitionVersion('GONE', version));
    await tx
      .insertInto('report_definition_versions')
      .values([...versions, definitionVersion('STAYS', 1)])
      .execute();
  });
  await purgeOwner(store, 'GONE');
  const left = await store.read.selectFrom('violations').select('owner_id').execute();
  expect(left).toEqual([{ owner_id: 'STAYS' }]);
  expect(await store.read.selectFrom('activity_summaries').selectAll().execute()).toEqual([]);
  const versions = await store.read.selectFrom('report_definition_versions').select('owner_id').execute();
  expect(versions).toEqual([{ owner_id: 'STAYS' }]);
});
