import type { ControlStore } from '../control/store.ts';
import type { Deliveries, Delivery, DeliveryState } from '../delivery/deliveries.ts';
import { Directory } from '../identity/directory.ts';
import { Refusal } from '../platform/errors.ts';

export interface DeliveriesParts {
  readonly store: ControlStore;
  readonly deliveries: Deliveries;
  /** Tells what sends that there is something to do. */
  readonly wakeSender: () => void;
  readonly userName: string;
}

const states: readonly DeliveryState[] = ['waiting', 'dead'];

/** Messages that did not arrive, or those of the states that are named. */
export function listDeliveries(
  wishes: URLSearchParams,
  { deliveries }: DeliveriesParts,
): Promise<Delivery[]> {
  const wanted = states.filter((state) => wishes.has(state));
  return deliveries.list(wanted.length > 0 ? wanted : states);
}

export async function resendDeliveries(
  wishes: URLSearchParams,
  parts: DeliveriesParts,
): Promise<{ sent: number }> {
  const { store, deliveries, wakeSender, userName } = parts;
  const id = wishes.get('id');
  if (!id && !wishes.has('all-dead'))
    throw new Refusal('INVALID_INPUT', 'Name a message, or give --all-dead for all that are dead.');
  const directory = new Directory(store, userName);
  const actor = directory.actor('Deliveries Resent', await directory.organization());
  const sent = await deliveries.resend(actor, id ? { id } : 'all dead');
  wakeSender();
  return { sent };
}
