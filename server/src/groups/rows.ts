import type { ControlStore, ControlTransaction } from '../control/store.ts';
import { Refusal } from '../platform/errors.ts';
import type { GroupRow } from './record.ts';

export async function findGroup(db: ControlStore['read'], ownerId: string, id: string): Promise<GroupRow> {
  const row = await db
    .selectFrom('resource_groups')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  if (!row) throw new Refusal('NOT_FOUND', 'Not found');
  return row;
}

/** Writing the row before reading it makes a second change wait, so that none is lost. Default groups stay as they are. */
export async function lockForChange(tx: ControlTransaction, ownerId: string, id: string): Promise<GroupRow> {
  await tx
    .updateTable('resource_groups')
    .set({ id })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .execute();
  const row = await findGroup(tx, ownerId, id);
  if (row.is_default === 0) return row;
  throw new Refusal(
    'CONFLICT',
    `'${row.name}' is a default group, which can be neither changed nor deleted: create one of your own.`,
  );
}
