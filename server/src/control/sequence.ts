import { sql } from 'kysely';
import type { ControlTransaction } from './store.ts';

/** The next number of an owner's sequence; concurrent transactions wait until this one ends. */
export async function nextNumber(tx: ControlTransaction, ownerId: string, sequence: string): Promise<number> {
  const { last } = await tx
    .insertInto('sequences')
    .values({ id: sequence, owner_id: ownerId, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'id']).doUpdateSet({ last: sql`sequences.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** The last issued number, or 0. */
export async function lastNumber(tx: ControlTransaction, ownerId: string, sequence: string): Promise<number> {
  const row = await tx
    .selectFrom('sequences')
    .select('last')
    .where('owner_id', '=', ownerId)
    .where('id', '=', sequence)
    .executeTakeFirst();
  return row?.last ?? 0;
}
