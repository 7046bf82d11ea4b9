import type { Kysely } from 'kysely';
import type { ControlStore, ControlTransaction } from './store.ts';
import { ownedTables } from './tables.ts';

const batchSize = 5_000;
/** Columns that identify rows of tables without an id. */
const keys: Readonly<Record<string, string>> = {
  evaluations: 'policy_id',
  violations: 'key',
  activity_summaries: 'stream',
  alert_entities: 'entity',
  exports: 'rule_id',
  replaced_agent_tokens: 'fingerprint',
  collections: 'integration_id',
  audit_queues: 'integration_id',
  audit_objects: 'identity',
};

/**
 * Deletes everything owned by a deleted account, in batches that hold the writer only briefly. It can be resumed, and
 * stops if a restore has brought the account back.
 */
export async function purgeOwner(store: ControlStore, ownerId: string): Promise<void> {
  for (const table of ownedTables) {
    for (;;) {
      const removed = await store.housekeeping((tx) => removeBatch(tx, table, ownerId));
      if (removed < batchSize) break;
      await new Promise((resume) => setImmediate(resume));
    }
  }
}

async function removeBatch(tx: ControlTransaction, table: string, ownerId: string): Promise<number> {
  const db = tx as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const key = keys[table] ?? 'id';
  const batch = db.selectFrom(table).select(key).where('owner_id', '=', ownerId).limit(batchSize);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('owner_id', '=', ownerId)
    .where(key, 'in', batch)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts').select('accounts.id').where('accounts.id', '=', ownerId))),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
