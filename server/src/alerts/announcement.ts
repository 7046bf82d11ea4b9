import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { newSortableId } from '../platform/ids.ts';
import type { AlertMessage, Occasion } from './alert-message.ts';
import type { Entity } from './finding.ts';
import { messageOf, withNames } from './message-of.ts';

type Alert = Tables['alerts'];
type Delivery = Tables['deliveries'];
type Opening = Pick<Delivery, 'id' | 'channel_id' | 'state' | 'attempts'>;

/** Entities that joined an alert, and how to tell of them. */
export interface News {
  readonly alert: Alert;
  readonly joined: readonly Entity[];
  readonly account: string;
  readonly link: string;
  /** Milliseconds for which they are collected. */
  readonly window: number;
  readonly now: number;
}

/** Longer than any lease of a message: what is due later is not on its way. */
const notOnItsWay = 60_000;

/**
 * Tells a channel that got the alert what joined it. The first of it opens a window, and all that joins before the end of
 * the window is in the one message that is sent then. What was not sent yet is written anew instead. The alert must be
 * held, so that nobody else does this for it at the moment.
 */
export async function announce(tx: ControlTransaction, opening: Opening, news: News): Promise<void> {
  const { alert, joined, account, link, window, now } = news;
  const telling = (deliveryId: string) => ({ deliveryId, account, link });
  if (isUnsent(opening) && (await rewrite(tx, opening, messageOf(alert, telling(opening.id))))) return;
  const last = await announcementsOf(tx, alert)
    .select(['id', 'channel_id', 'state', 'attempts', 'message', 'window_start', 'due_at'])
    .where('channel_id', '=', opening.channel_id)
    .orderBy('window_start', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.state === 'waiting' && isUnsent(last)) {
    const { newEntities = [] } = JSON.parse(last.message) as AlertMessage;
    const message = messageOf(alert, telling(last.id), withNames(newEntities, joined));
    if (await rewrite(tx, last, message)) return;
  }
  // The last one may be tried again later: the next one keeps its distance to that.
  const begin = last?.state === 'waiting' ? Math.max(now, last.due_at) : now;
  const id = newSortableId(now);
  const message = messageOf(alert, telling(id), withNames([], joined));
  await addDelivery(tx, alert, {
    ...{ id, channelId: opening.channel_id, occasion: 'updated', message, now, dueAt: begin + window },
    windowStart: Math.max(now, (last?.window_start ?? 0) + 1),
  });
}

/** Whoever closed the alert knows it; an incident on the other side must not begin anew after its end. */
export async function dropAnnouncements(tx: ControlTransaction, alert: Alert, now: number): Promise<void> {
  await tx
    .deleteFrom('deliveries')
    .where('owner_id', '=', alert.owner_id)
    .where('alert_id', '=', alert.id)
    .where('occasion', '=', 'updated')
    .where('state', '=', 'waiting')
    .where(({ or, eb }) => or([eb('attempts', '=', 0), eb('due_at', '>', now + notOnItsWay)]))
    .execute();
}

interface Written {
  readonly id: string;
  readonly channelId: string;
  readonly occasion: Occasion;
  readonly message: AlertMessage;
  readonly now: number;
  readonly dueAt: number;
  readonly windowStart: number;
}

/** Writes a message down that is sent when it is due; once for each channel, occasion and window. */
export async function addDelivery(tx: ControlTransaction, alert: Alert, written: Written): Promise<void> {
  const { id, channelId, occasion, message, now, dueAt, windowStart } = written;
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

/** Dead ones may be sent again one day. */
function isUnsent({ state, attempts }: Opening): boolean {
  return state === 'dead' || (state === 'waiting' && attempts === 0);
}

/** Whether it is still as it was: a node that takes a message counts an attempt. */
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
