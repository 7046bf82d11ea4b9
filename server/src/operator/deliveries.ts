import type { ControlStore } from '../control/store.ts';
import type { Deliveries, Delivery, DeliveryState } from '../delivery/deliveries.ts';
import { Directory } from '../identity/directory.ts';
import { Refusal } from '../platform/errors.ts';

export interface DeliveriesDeps {
  readonly store: ControlStore;
  readonly deliveries: Deliveries;
  /** Wakes the sender. */
  readonly wakeSender: () => void;
  readonly userName: string;
}

const states: readonly DeliveryState[] = ['waiting', 'dead'];

export interface DeliveryList {
  /** When deliveries were put on hold, if they are. */
  readonly heldSince?: number | undefined;
  readonly deliveries: readonly Delivery[];
}

/** Undelivered messages, or those in the requested states. */
export async function listDeliveries(
  options: URLSearchParams,
  { deliveries }: DeliveriesDeps,
): Promise<DeliveryList> {
  const requested = states.filter((state) => options.has(state));
  return {
    heldSince: await deliveries.heldSince(),
    deliveries: await deliveries.list(requested.length > 0 ? requested : states),
  };
}

/** Releases deliveries held by a restore; `released` is null if nothing was held. */
export async function releaseDeliveries(deps: DeliveriesDeps): Promise<{ released: number | null }> {
  const { store, deliveries, wakeSender, userName } = deps;
  const directory = new Directory(store, userName);
  const actor = directory.actor('Deliveries Released', await directory.organization());
  const released = await deliveries.release(actor);
  wakeSender();
  return { released: released ?? null };
}

export async function resendDeliveries(
  options: URLSearchParams,
  deps: DeliveriesDeps,
): Promise<{ sent: number }> {
  const { store, deliveries, wakeSender, userName } = deps;
  const id = options.get('id');
  if (!id && !options.has('all-dead'))
    throw new Refusal('INVALID_INPUT', 'Give the id of a message, or --all-dead for all dead letters.');
  const directory = new Directory(store, userName);
  const actor = directory.actor('Deliveries Resent', await directory.organization());
  const sent = await deliveries.resend(actor, id ? { id } : 'all dead');
  wakeSender();
  return { sent };
}
