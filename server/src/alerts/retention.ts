import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

type Place = Pick<Tables['alerts'], 'start_at' | 'id'>;

const atOnce = 200;

/**
 * Forgets alerts that nothing happened to since the moment, with their timelines and messages. One stays as long as a
 * violation stands that it tells of, for that would be news to nobody otherwise, and while a message about it waits.
 */
export async function forgetAlerts(store: ControlStore, before: number): Promise<void> {
  const accounts = await store.read.selectFrom('accounts').select('id').execute();
  for (const { id: owner } of accounts) {
    for (let last: Place | undefined = { start_at: 0, id: 0 }; last; ) {
      const old = await oldAlerts(store.read, owner, before, last);
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await store.housekeeping((tx) => forget(tx, owner, before, ids));
      last = old.length < atOnce ? undefined : old.at(-1);
    }
  }
}

function oldAlerts(db: ControlStore['read'], owner: string, before: number, last: Place): Promise<Place[]> {
  return (
    db
      .selectFrom('alerts')
      .select(['start_at', 'id'])
      .where('owner_id', '=', owner)
      // An alert never changes before it begins, and the index knows when it does.
      .where('start_at', '<', before)
      .where('updated_at', '<', before)
      .where(({ eb, or, and }) =>
        or([
          eb('start_at', '>', last.start_at),
          and([eb('start_at', '=', last.start_at), eb('id', '>', last.id)]),
        ]),
      )
      .orderBy('start_at')
      .orderBy('id')
      .limit(atOnce)
      .execute()
  );
}

async function forget(
  tx: ControlTransaction,
  owner: string,
  before: number,
  ids: readonly number[],
): Promise<void> {
  const standing = await tx
    .selectFrom('violations')
    .select('alert_id as id')
    .distinct()
    .where('owner_id', '=', owner)
    .where('alert_id', 'in', ids)
    .execute();
  const waiting = await tx
    .selectFrom('deliveries')
    .select('alert_id as id')
    .where('owner_id', '=', owner)
    .where('alert_id', 'in', ids)
    .where('state', '=', 'waiting')
    .execute();
  const kept = new Set([...standing, ...waiting].map(({ id }) => id));
  const forgettable = ids.filter((id) => !kept.has(id));
  if (forgettable.length === 0) return;
  const gone = await tx
    .deleteFrom('alerts')
    .where('owner_id', '=', owner)
    .where('id', 'in', forgettable)
    // Said again: somebody may have commented on one just now.
    .where('updated_at', '<', before)
    .returning('id')
    .execute();
  if (gone.length === 0) return;
  for (const table of ['alert_entries', 'alert_entities', 'deliveries'] as const)
    await tx
      .deleteFrom(table)
      .where('owner_id', '=', owner)
      .where(
        'alert_id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
}
