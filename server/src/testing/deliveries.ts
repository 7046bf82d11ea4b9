import type { AlertMessage, Occasion } from '../alerts/alert-message.ts';
import type { ControlStore } from '../control/store.ts';
import { newSortableId } from '../platform/ids.ts';
import { sampleMessages } from './alert-message.ts';

export interface NewDelivery {
  readonly ownerId: string;
  readonly channelId: string;
  readonly alertId: number;
  readonly occasion?: Occasion;
}

/** Inserts a delivery for a channel as alert routing does; returns its id. */
export async function addDelivery(
  store: ControlStore,
  now: number,
  { ownerId, channelId, alertId, occasion = 'opened' }: NewDelivery,
): Promise<string> {
  const id = newSortableId(now);
  const message: AlertMessage = { ...sampleMessages.opened, deliveryId: id, occasion, alertId };
  await store.housekeeping((tx) =>
    tx
      .insertInto('deliveries')
      .values({
        ...{ id, owner_id: ownerId, alert_id: alertId, channel_id: channelId, occasion, window_start: 0 },
        ...{ message: JSON.stringify(message), state: 'waiting', attempts: 0 },
        ...{ due_at: now, created_at: now, updated_at: now, problem: null, external: null },
      })
      .execute(),
  );
  return id;
}
