import type { ExpressionBuilder } from 'kysely';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

const id = 'restore';

/** Holds all messages and exports, on all nodes and across restarts, until an operator releases them. */
export async function hold(tx: ControlTransaction, now: number): Promise<void> {
  await lift(tx);
  await tx.insertInto('delivery_holds').values({ id, since: now }).execute();
}

export async function lift(tx: ControlTransaction): Promise<void> {
  await tx.deleteFrom('delivery_holds').execute();
}

/** Since when deliveries are held; undefined if they are not. */
export async function heldSince(db: ControlStore['read']): Promise<number | undefined> {
  const row = await db.selectFrom('delivery_holds').select('since').executeTakeFirst();
  return row?.since;
}

/** SQL condition that is false while deliveries are held. */
export function isReleased({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'deliveries'>) {
  return not(exists(selectFrom('delivery_holds').select('delivery_holds.id')));
}
