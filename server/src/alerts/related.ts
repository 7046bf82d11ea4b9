import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';

type AlertKey = Pick<Tables['alerts'], 'owner_id' | 'id'>;

export interface RelatedAlert {
  readonly alert: Tables['alerts'];
  /** Higher for more entities in common. */
  readonly rank: number;
}

const day = 24 * 3_600_000;
/** Bounds the cost for alerts with many entities. */
const limits = { linked: 100, compared: 50, ofEach: 200, ofPolicy: 100, shown: 50 };
const weight = { entity: 10, policy: 5 };

/** Indexes the entities of an alert. */
export async function indexEntities(
  tx: ControlTransaction,
  { owner_id, id }: AlertKey,
  entities: readonly string[],
): Promise<void> {
  const rows = entities.slice(0, limits.linked).map((entity) => ({ owner_id, entity, alert_id: id }));
  if (rows.length === 0) return;
  await tx
    .insertInto('alert_entities')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['owner_id', 'entity', 'alert_id']).doNothing())
    .execute();
}

/** Other alerts within 30 days with the same entities or policy, highest rank first. */
export async function relatedTo(db: ControlStore['read'], alert: Tables['alerts']): Promise<RelatedAlert[]> {
  const ranks = new Map<number, number>();
  const raise = (id: number, by: number) => ranks.set(id, (ranks.get(id) ?? 0) + by);
  for (const id of await alertsSharingEntities(db, alert)) raise(id, weight.entity);
  for (const id of await alertsOfPolicy(db, alert)) raise(id, weight.policy);
  ranks.delete(alert.id);
  const closest = [...ranks].sort(([a, one], [b, other]) => other - one || b - a).slice(0, 4 * limits.shown);
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
    .slice(0, limits.shown);
}

/** Ids of alerts with a common entity, once per common entity. */
async function alertsSharingEntities(
  db: ControlStore['read'],
  { owner_id, id }: AlertKey,
): Promise<number[]> {
  const own = await db
    .selectFrom('alert_entities')
    .select('entity')
    .where('owner_id', '=', owner_id)
    .where('alert_id', '=', id)
    .limit(limits.compared)
    .execute();
  const alertIds: number[] = [];
  for (const { entity } of own) {
    const rows = await db
      .selectFrom('alert_entities')
      .select('alert_id')
      .where('owner_id', '=', owner_id)
      .where('entity', '=', entity)
      .orderBy('alert_id', 'desc')
      .limit(limits.ofEach)
      .execute();
    alertIds.push(...rows.map(({ alert_id }) => alert_id));
  }
  return alertIds;
}

async function alertsOfPolicy(
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
    .limit(limits.ofPolicy)
    .execute();
  return rows.map(({ id }) => id);
}
