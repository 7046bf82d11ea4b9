import type { ControlStore } from './store.ts';
import { ownedTables } from './tables.ts';

const rowsAtOnce = 5_000;

/**
 * Removes everything a deleted account owned, in steps that never hold the writer for long. Asked again, it goes on; it
 * stops when a restore has brought the account back.
 */
export async function purgeOwner(store: ControlStore, ownerId: string): Promise<void> {
  for (const table of ownedTables) {
    for (;;) {
      const removed = await store.housekeeping((tx) =>
        tx
          .deleteFrom(table)
          .where('owner_id', '=', ownerId)
          .where('id', 'in', (select) =>
            select.selectFrom(table).select('id').where('owner_id', '=', ownerId).limit(rowsAtOnce),
          )
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('accounts').select('accounts.id').where('accounts.id', '=', ownerId))),
          )
          .executeTakeFirstOrThrow(),
      );
      if (Number(removed.numDeletedRows) < rowsAtOnce) break;
      await new Promise((resume) => setImmediate(resume));
    }
  }
}
