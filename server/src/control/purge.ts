import type { Kysely } from 'kysely';
import type { ControlStore, ControlTransaction } from './store.ts';
import { ownedTables } from './tables.ts';

const rowsAtOnce = 5_000;
/** What tells some rows from others, where they have no id. */
const keys: Readonly<Record<string, string>> = {
  evaluations: 'policy_id',
  violations: 'key',
  activity_summaries: 'stream',
  alert_entities: 'entity',
  exports: 'rule_id',
};

/**
 * Removes everything a deleted account owned, in steps that never hold the writer for long. Asked again, it goes on; it
 * stops when a restore has brought the account back.
 */
export async function purgeOwner(store: ControlStore, ownerId: string): Promise<void> {
  for (const table of ownedTables) {
    for (;;) {
      const removed = await store.housekeeping((tx) => removeSome(tx, table, ownerId));
      if (removed < rowsAtOnce) break;
      await new Promise((resume) => setImmediate(resume));
    }
  }
}

async function removeSome(tx: ControlTransaction, table: string, ownerId: string): Promise<number> {
  const db = tx as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const key = keys[table] ?? 'id';
  const some = db.selectFrom(table).select(key).where('owner_id', '=', ownerId).limit(rowsAtOnce);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('owner_id', '=', ownerId)
    .where(key, 'in', some)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts').select('accounts.id').where('accounts.id', '=', ownerId))),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
