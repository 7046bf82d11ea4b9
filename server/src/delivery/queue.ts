import { type ExpressionBuilder, sql } from 'kysely';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { admitted } from './circuit.ts';
import { isReleased } from './hold.ts';
import { lifetime } from './retry.ts';

export type DeliveryRow = Tables['deliveries'];

/** What is sent belongs to a node for so long; it says so again and again while it is at it. */
export const lease = 8_000;

/** Longer than the one message takes that tries a channel for all. */
const probe = 60_000;

/** Most channels that one look at the queue finds. */
const channelsAtOnce = 100;

/** A channel with messages of an account that are due. */
export type ChannelDue = Pick<DeliveryRow, 'owner_id' | 'channel_id'>;

/**
 * Channels with something due; `full` ones and those that fail are left alone. Of each account the one that waits longest
 * comes before a second one of any, so that an account with many channels hides nobody else's.
 */
export function channelsDue(
  db: ControlStore['read'],
  now: number,
  full: readonly string[],
): Promise<ChannelDue[]> {
  return db
    .selectFrom('deliveries')
    .select(['owner_id', 'channel_id'])
    .where(isDue(now))
    .where(({ not, exists, selectFrom }) => not(exists(openCircuit(selectFrom, now))))
    .$if(full.length > 0, (query) => query.where('channel_id', 'not in', full))
    .groupBy(['owner_id', 'channel_id'])
    .orderBy(sql`row_number() over (partition by owner_id order by min(due_at))`)
    .orderBy(({ fn }) => fn.min('due_at'))
    .limit(channelsAtOnce)
    .execute();
}

/**
 * Takes messages of an account for a channel, as many as wanted at the most; no other node gets them while this one is
 * at it.
 */
export async function leaseOf(
  tx: ControlTransaction,
  { owner_id, channel_id }: ChannelDue,
  wanted: number,
  now: number,
): Promise<DeliveryRow[]> {
  const most = await admitted(tx, channel_id, wanted, { now, probe });
  if (most === 0) return [];
  return (
    tx
      .updateTable('deliveries')
      .set(({ eb }) => ({ due_at: now + lease, attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', (select) =>
        select
          .selectFrom('deliveries')
          .select('id')
          .where(isDue(now))
          .where((is) => is.and({ owner_id, channel_id }))
          .orderBy('due_at')
          .orderBy('id')
          .limit(most),
      )
      // Said again outside: another node may have leased the row while this statement waited for it.
      .where('due_at', '<=', now)
      .where('state', '=', 'waiting')
      .returningAll()
      .execute()
  );
}

/** Tells other nodes that these are still on their way. */
export async function renew(tx: ControlTransaction, ids: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: now + lease })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .where('due_at', '<', now + lease)
    .execute();
}

/** What waited for its whole life because its channel failed all the time. */
export function overdue(db: ControlStore['read'], now: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .where('created_at', '<=', now - lifetime)
    .where(isReleased)
    .where(({ exists, selectFrom }) => exists(openCircuit(selectFrom, now)))
    .limit(1_000)
    .execute();
}

/** Clocks of several nodes differ by less. */
const tolerance = 300_000;

/** Messages of a time to come, which a clock that was set back left behind, do not wait until it is there again. */
export async function recall(tx: ControlTransaction, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ created_at: now, due_at: now })
    .where('state', '=', 'waiting')
    .where('created_at', '>', now + tolerance)
    .execute();
}

/** What is due within this is left alone: it may be on its way from a node whose clock is ahead, or comes soon anyway. */
const soon = lease + 20_000;

/** Whoever has put a channel right does not wait for hours to see it: what failed before is due now. */
export async function hurryChanged(tx: ControlTransaction, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .where('due_at', '>', now + soon)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('integrations')
          .select('integrations.id')
          .whereRef('integrations.id', '=', 'deliveries.channel_id')
          .whereRef('integrations.updated_at', '>', 'deliveries.updated_at')
          // A clock that was set back must not make this go on and on.
          .where('integrations.updated_at', '<=', now),
      ),
    )
    .execute();
}

type Where = ExpressionBuilder<Tables, 'deliveries'>;

/** A later message about an alert waits until the first one is through, and its end until what was announced is. */
function isDue(now: number) {
  return (where: Where) => {
    const { and, or, not, exists, eb, selectFrom } = where;
    return and([
      isReleased(where),
      eb('deliveries.state', '=', 'waiting'),
      eb('deliveries.due_at', '<=', now),
      or([
        eb('deliveries.occasion', '=', 'opened'),
        not(
          exists(
            selectFrom('deliveries as first')
              .select('first.id')
              .whereRef('first.owner_id', '=', 'deliveries.owner_id')
              .whereRef('first.alert_id', '=', 'deliveries.alert_id')
              .whereRef('first.channel_id', '=', 'deliveries.channel_id')
              .where('first.state', '=', 'waiting')
              .where((first) =>
                first.or([
                  first('first.occasion', '=', 'opened'),
                  first.and([
                    first('first.occasion', '=', 'updated'),
                    first('deliveries.occasion', '=', 'closed'),
                  ]),
                ]),
              ),
          ),
        ),
      ]),
    ]);
  };
}

function openCircuit(selectFrom: Where['selectFrom'], now: number) {
  return selectFrom('channel_circuits')
    .select('channel_circuits.failures')
    .whereRef('channel_circuits.channel_id', '=', 'deliveries.channel_id')
    .where('channel_circuits.open_until', '>', now);
}
