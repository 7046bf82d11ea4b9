import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { newSortableId } from '../platform/ids.ts';
import type { AlertMessage, Occasion } from './alert-message.ts';
import type { Entity } from './finding.ts';
import { messageOf, withNames } from './message-of.ts';

type Alert = Tables['alerts'];
type Delivery = Tables['deliveries'];
type Opening = Pick<Delivery, 'id' | 'channel_id' | 'state' | 'attempts'>;

/** Entities that joined an alert, for one message to a channel. */
export interface JoinedEntities {
  readonly alert: Alert;
  readonly joined: readonly Entity[];
  readonly account: string;
  readonly link: string;
  /** Milliseconds for which joining entities are collected. */
  readonly window: number;
  readonly now: number;
}

/** Exceeds any delivery lease: deliveries due later are not in flight. */
const maxLease = 60_000;

/**
 * Announces joined entities to a channel that received the alert. The first entity opens a window; all entities that
 * join before its end share one message. Unsent messages are rewritten instead. The caller must hold the lock of the
 * alert.
 */
export async function announce(
  tx: ControlTransaction,
  opening: Opening,
  joinedEntities: JoinedEntities,
): Promise<void> {
  const { alert, joined, account, link, window, now } = joinedEntities;
  const contextOf = (deliveryId: string) => ({ deliveryId, account, link });
  if (isUnsent(opening) && (await rewrite(tx, opening, messageOf(alert, contextOf(opening.id))))) return;
  const last = await announcementsOf(tx, alert)
    .select(['id', 'channel_id', 'state', 'attempts', 'message', 'window_start', 'due_at'])
    .where('channel_id', '=', opening.channel_id)
    .orderBy('window_start', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.state === 'waiting' && isUnsent(last)) {
    const { newEntities = [] } = JSON.parse(last.message) as AlertMessage;
    const message = messageOf(alert, contextOf(last.id), withNames(newEntities, joined));
    if (await rewrite(tx, last, message)) return;
  }
  // The previous message may be waiting for a retry: keep the window's distance to it.
  const begin = last?.state === 'waiting' ? Math.max(now, last.due_at) : now;
  const id = newSortableId(now);
  const message = messageOf(alert, contextOf(id), withNames([], joined));
  await addDelivery(tx, alert, {
    ...{ id, channelId: opening.channel_id, occasion: 'updated', message, now, dueAt: begin + window },
    windowStart: Math.max(now, (last?.window_start ?? 0) + 1),
  });
}

/** The closing message supersedes pending announcements, which would reopen the incident at the receiver. */
export async function dropAnnouncements(tx: ControlTransaction, alert: Alert, now: number): Promise<void> {
  await tx
    .deleteFrom('deliveries')
    .where('owner_id', '=', alert.owner_id)
    .where('alert_id', '=', alert.id)
    .where('occasion', '=', 'updated')
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('attempts', '=', 0), eb('due_at', '>', now + maxLease)]))
    .execute();
}

interface DeliveryContent {
  readonly id: string;
  readonly channelId: string;
  readonly occasion: Occasion;
  readonly message: AlertMessage;
  readonly now: number;
  readonly dueAt: number;
  readonly windowStart: number;
}

/** Enqueues a message; at most one per channel, occasion and window. */
export async function addDelivery(
  tx: ControlTransaction,
  alert: Alert,
  content: DeliveryContent,
): Promise<void> {
  const { id, channelId, occasion, message, now, dueAt, windowStart } = content;
  const delivery: Delivery = {
    ...{ id, owner_id: alert.owner_id, alert_id: alert.id, channel_id: channelId, occasion },
    ...{ window_start: windowStart, message: JSON.stringify(message), state: 'waiting', attempts: 0 },
    ...{ due_at: dueAt, created_at: now, updated_at: now, problem: null, external: null },
  };
  await tx
    .insertInto('deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Dead letters may be sent again later. */
function isUnsent({ state, attempts }: Opening): boolean {
  return state === 'dead' || (state === 'waiting' && attempts === 0);
}

/** False if a node has taken the delivery meanwhile, which counts an attempt. */
async function rewrite(
  tx: ControlTransaction,
  { id, state, attempts }: Opening,
  message: AlertMessage,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ message: JSON.stringify(message) })
    .where((is) => is.and({ id, state, attempts }))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

function announcementsOf(tx: ControlTransaction, { owner_id, id }: Alert) {
  return tx
    .selectFrom('deliveries')
    .where('owner_id', '=', owner_id)
    .where('alert_id', '=', id)
    .where('occasion', '=', 'updated');
}
