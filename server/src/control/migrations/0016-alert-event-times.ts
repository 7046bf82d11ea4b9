import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

/** Large columns stay after the new ones, because SQLite reads a row from its start. */
const large = { entity_map: '{}', marks: '[]' };

export async function up(db: Kysely<unknown>, _: ControlDialect, type: ColumnTypes): Promise<void> {
  const alerts = () => db.schema.alterTable('alerts');
  await alerts().addColumn('first_event_at', type.instant).execute();
  await alerts().addColumn('last_event_at', type.instant).execute();
  for (const [column, empty] of Object.entries(large)) {
    await alerts()
      .addColumn(`moved_${column}`, type.text, (to) => to.notNull().defaultTo(empty))
      .execute();
    await sql`update alerts set ${sql.ref(`moved_${column}`)} = ${sql.ref(column)}`.execute(db);
    await alerts().dropColumn(column).execute();
    await alerts().renameColumn(`moved_${column}`, column).execute();
  }
  // It used to be the end of the hour, which may be in the future.
  await sql`update alerts set end_at = case
    when updated_at < start_at then start_at when updated_at < end_at then updated_at else end_at end`.execute(
    db,
  );
}
