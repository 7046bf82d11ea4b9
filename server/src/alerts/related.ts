import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

type Numbered = Pick<Tables['alerts'], 'owner_id' | 'id'>;

export interface Related {
  readonly alert: Tables['alerts'];
  /** The more they have in common the higher. */
  readonly rank: number;
}

const day = 24 * 3_600_000;
/** So that an alert about half of the company costs no more than one about a machine. */
const most = { linked: 100, compared: 50, ofEach: 200, ofPolicy: 100, shown: 50 };
const weight = { entity: 10, policy: 5 };

/** Remembers what an alert is about. */
export async function relate(
  tx: ControlTransaction,
  { owner_id, id }: Numbered,
  entities: readonly string[],
): Promise<void> {
  const rows = entities.slice(0, most.linked).map((entity) => ({ owner_id, entity, alert_id: id }));
  if (rows.length === 0) return;
  await tx
    .insertInto('alert_entities')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['owner_id', 'entity', 'alert_id']).doNothing())
    .execute();
}

/** Other alerts that came within 30 days and are about the same things, or the same policy; the closest first. */
export async function relatedTo(db: ControlStore['read'], alert: Tables['alerts']): Promise<Related[]> {
  const ranks = new Map<number, number>();
  const raise = (id: number, by: number) => ranks.set(id, (ranks.get(id) ?? 0) + by);
  for (const id of await sharing(db, alert)) raise(id, weight.entity);
  for (const id of await ofPolicy(db, alert)) raise(id, weight.policy);
  ranks.delete(alert.id);
  const closest = [...ranks].sort(([a, one], [b, other]) => other - one || b - a).slice(0, 4 * most.shown);
  if (closest.length === 0) return [];
  const rows = await db
    .selectFrom('alerts')
    .selectAll()
    .where('owner_id', '=', alert.owner_id)
    .where(
      'id',
      'in',
      closest.map(([id]) => id),
    )
    .where('start_at', '>', alert.start_at - 30 * day)
    .where('start_at', '<', alert.start_at + 30 * day)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return closest
    .flatMap(([id, rank]) => {
      const row = known.get(id);
      return row ? [{ alert: row, rank }] : [];
    })
    .slice(0, most.shown);
}

/** Once for every thing that they have in common. */
async function sharing(db: ControlStore['read'], { owner_id, id }: Numbered): Promise<number[]> {
  const own = await db
    .selectFrom('alert_entities')
    .select('entity')
    .where('owner_id', '=', owner_id)
    .where('alert_id', '=', id)
    .limit(most.compared)
    .execute();
  const found: number[] = [];
  for (const { entity } of own) {
    const rows = await db
      .selectFrom('alert_entities')
      .select('alert_id')
      .where('owner_id', '=', owner_id)
      .where('entity', '=', entity)
      .orderBy('alert_id', 'desc')
      .limit(most.ofEach)
      .execute();
    found.push(...rows.map(({ alert_id }) => alert_id));
  }
  return found;
}

async function ofPolicy(
  db: ControlStore['read'],
  { owner_id, policy_id, window_start }: Tables['alerts'],
): Promise<number[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('policy_id', '=', policy_id)
    .where('window_start', '>', window_start - 31 * day)
    .where('window_start', '<', window_start + 31 * day)
    .orderBy('window_start', 'desc')
    .limit(most.ofPolicy)
    .execute();
  return rows.map(({ id }) => id);
}
