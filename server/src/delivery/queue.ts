import { type ExpressionBuilder, sql } from 'kysely';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { reportOccasion } from '../reports/scheduled/report-message.ts';
import { admittedMessages } from './circuit.ts';
import { isReleased } from './hold.ts';
import { lifetime } from './retry.ts';

export type DeliveryRow = Tables['deliveries'];

/** Whether it is a report; reports are about no alert. */
export const isReport = ({ alert_id, occasion }: Pick<DeliveryRow, 'alert_id' | 'occasion'>) =>
  alert_id === 0 && occasion.startsWith(reportOccasion);

/** Lease of a message in milliseconds, renewed while it is being sent. */
export const leaseDuration = 8_000;

/** Milliseconds; longer than a probe message takes. */
const probeTimeout = 60_000;

/** Maximum number of channels per query. */
const maxChannels = 100;

/** A channel with due messages of an account. */
export type ChannelDue = Pick<DeliveryRow, 'owner_id' | 'channel_id'>;

/** What is not sent now. */
export interface Postponed {
  /** Channels. */
  readonly channels: readonly string[];
  /** Accounts whose reports wait; their alerts do not. */
  readonly reportsOf: readonly string[];
}

/**
 * Channels with due messages, except postponed ones and those with an open circuit. The longest-waiting channel of each
 * account comes before a second of any, so that an account with many channels does not crowd out others.
 */
export function channelsDue(
  db: ControlStore['read'],
  now: number,
  { channels, reportsOf }: Postponed = { channels: [], reportsOf: [] },
): Promise<ChannelDue[]> {
  return db
    .selectFrom('deliveries')
    .select(['owner_id', 'channel_id'])
    .where(isDue(now))
    .$if(reportsOf.length > 0, (query) => query.where(isNoReportOf(reportsOf)))
    .where(({ not, exists, selectFrom }) => not(exists(openCircuit(selectFrom, now))))
    .$if(channels.length > 0, (query) => query.where('channel_id', 'not in', channels))
    .groupBy(['owner_id', 'channel_id'])
    .orderBy(sql`row_number() over (partition by owner_id order by min(due_at))`)
    .orderBy(({ fn }) => fn.min('due_at'))
    .limit(maxChannels)
    .execute();
}

/** Leases at most `wanted` messages of an account for a channel, with or without its reports. */
export async function leaseMessages(
  tx: ControlTransaction,
  { owner_id, channel_id }: ChannelDue,
  { wanted, withReports }: { readonly wanted: number; readonly withReports: boolean },
  now: number,
): Promise<DeliveryRow[]> {
  const limit = await admittedMessages(tx, channel_id, wanted, { now, probe: probeTimeout });
  if (limit === 0) return [];
  return (
    tx
      .updateTable('deliveries')
      .set(({ eb }) => ({ due_at: now + leaseDuration, attempts: eb('attempts', '+', 1) }))
      .where('id', 'in', (select) =>
        select
          .selectFrom('deliveries')
          .select('id')
          .where(isDue(now))
          .where((is) => is.and({ owner_id, channel_id }))
          .$if(!withReports, (query) => query.where(isNoReportOf([owner_id])))
          .orderBy('due_at')
          .orderBy('id')
          .limit(limit),
      )
      // Repeated outside the subquery: another node may have leased the row while this statement waited for its lock.
      .where('due_at', '<=', now)
      .where('state', '=', 'waiting')
      .returningAll()
      .execute()
  );
}

/** Renews the leases of messages being sent. */
export async function renew(tx: ControlTransaction, ids: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: now + leaseDuration })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .where('due_at', '<', now + leaseDuration)
    .execute();
}

/** Messages that expired while the circuit of their channel was open. */
export function expired(db: ControlStore['read'], now: number): Promise<DeliveryRow[]> {
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

/** Maximum clock difference between nodes. */
const clockTolerance = 300_000;

/** Resets messages dated in the future, left behind by a clock that was set back. */
export async function resetFutureMessages(tx: ControlTransaction, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ created_at: now, due_at: now })
    .where('state', '=', 'waiting')
    .where('created_at', '>', now + clockTolerance)
    .execute();
}

/**
 * Messages due within this time are skipped: a node whose clock is ahead may be sending them, or they are due shortly
 * anyway.
 */
const nearFuture = leaseDuration + 20_000;

/** Makes failed messages due when their channel was changed, so that a fix takes effect immediately. */
export async function retryChangedChannels(tx: ControlTransaction, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .where('due_at', '>', now + nearFuture)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('integrations')
          .select('integrations.id')
          .whereRef('integrations.id', '=', 'deliveries.channel_id')
          .whereRef('integrations.updated_at', '>', 'deliveries.updated_at')
          // Prevents an endless loop after the clock was set back.
          .where('integrations.updated_at', '<=', now),
      ),
    )
    .execute();
}

type Where = ExpressionBuilder<Tables, 'deliveries'>;

/** Later messages about an alert wait for the opening message, and the closing message for all announcements. */
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

function isNoReportOf(accounts: readonly string[]) {
  return ({ not, and, eb }: Where) =>
    not(
      and([
        eb('deliveries.alert_id', '=', 0),
        eb('deliveries.occasion', 'like', `${reportOccasion}%`),
        eb('deliveries.owner_id', 'in', accounts),
      ]),
    );
}

function openCircuit(selectFrom: Where['selectFrom'], now: number) {
  return selectFrom('channel_circuits')
    .select('channel_circuits.failures')
    .whereRef('channel_circuits.channel_id', '=', 'deliveries.channel_id')
    .where('channel_circuits.open_until', '>', now);
}
