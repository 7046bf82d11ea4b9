import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createTestPlace, testDialect } from '../../testing/database.ts';
import { connectForWriting } from '../connect.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';

test('alerts of earlier versions keep their data, and none ends in the future', async () => {
  const place = await createTestPlace();
  const db = await connectForWriting<Tables>(place.controlUrl);
  try {
    await migrate(db as Kysely<unknown>, testDialect, '0015-outbox-owners');
    const alert = (id: number, updated_at: number) => ({
      ...{ id, owner_id: 'A', policy_id: 'p', window_start: id, round: 0, alert_name: 'n', alert_type: 't' },
      ...{ severity: 'High', status: 'Open', alert_info: '{}', alert_spec: null, derived_fields: '{}' },
      ...{ reachability: '', violations: 1, listed: 1, start_at: 100, end_at: 3_600, updated_at },
      ...{ user_updated_at: null, close_reason: null, is_routed: 0 as const, created_at: 100 },
      ...{ entity_map: `{"Machine":[${id}]}`, marks: `[${id}]` },
    });
    const rows = [alert(1, 100), alert(2, 200), alert(3, 9_000), alert(4, 50)];
    await db
      .insertInto('alerts')
      .values(rows as never)
      .execute();
    await migrate(db as Kysely<unknown>, testDialect);
    const after = await db.selectFrom('alerts').selectAll().orderBy('id').execute();
    expect(after).toMatchObject(
      [100, 200, 3_600, 100].map((end_at, index) => ({
        ...rows[index],
        ...{ end_at, first_event_at: null, last_event_at: null },
      })),
    );
    expect(Object.keys(after[0] ?? {}).slice(-2)).toEqual(['entity_map', 'marks']);
  } finally {
    await db.destroy();
    await place.remove();
  }
});
