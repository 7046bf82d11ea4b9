import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

type AlertPosition = Pick<Tables['alerts'], 'start_at' | 'id'>;

const batchSize = 200;

/**
 * Deletes alerts unchanged since `before`, with their timelines and messages. An alert is kept while one of its
 * violations is open, because the violation would not raise another, and while a message is waiting to be delivered.
 */
export async function deleteExpiredAlerts(store: ControlStore, before: number): Promise<void> {
  const accounts = await store.read.selectFrom('accounts').select('id').execute();
  for (const { id: owner } of accounts) {
    for (let last: AlertPosition | undefined = { start_at: 0, id: 0 }; last; ) {
      const old = await expiredAlerts(store.read, owner, before, last);
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await store.housekeeping((tx) => deleteAlerts(tx, owner, before, ids));
      last = old.length < batchSize ? undefined : old.at(-1);
    }
  }
}

function expiredAlerts(
  db: ControlStore['read'],
  owner: string,
  before: number,
  last: AlertPosition,
): Promise<AlertPosition[]> {
  return (
    db
      .selectFrom('alerts')
      .select(['start_at', 'id'])
      .where('owner_id', '=', owner)
      // `start_at` never exceeds `updated_at`, and it is indexed.
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
      .limit(batchSize)
      .execute()
  );
}

async function deleteAlerts(
  tx: ControlTransaction,
  owner: string,
  before: number,
  ids: readonly number[],
): Promise<void> {
  const withOpenViolations = await tx
    .selectFrom('violations')
    .select('alert_id as id')
    .distinct()
    .where('owner_id', '=', owner)
    .where('alert_id', 'in', ids)
    .execute();
  const withWaitingMessages = await tx
    .selectFrom('deliveries')
    .select('alert_id as id')
    .where('owner_id', '=', owner)
    .where('alert_id', 'in', ids)
    .where('state', '=', 'waiting')
    .execute();
  const kept = new Set([...withOpenViolations, ...withWaitingMessages].map(({ id }) => id));
  const deletable = ids.filter((id) => !kept.has(id));
  if (deletable.length === 0) return;
  const deleted = await tx
    .deleteFrom('alerts')
    .where('owner_id', '=', owner)
    .where('id', 'in', deletable)
    // A user may have commented since the alerts were selected.
    .where('updated_at', '<', before)
    .returning('id')
    .execute();
  if (deleted.length === 0) return;
  for (const table of ['alert_entries', 'alert_entities', 'deliveries'] as const)
    await tx
      .deleteFrom(table)
      .where('owner_id', '=', owner)
      .where(
        'alert_id',
        'in',
        deleted.map(({ id }) => id),
      )
      .execute();
}
