import type { ControlStore } from '../control/store.ts';
import type { Deliveries, Delivery, DeliveryState } from '../delivery/deliveries.ts';
import { Directory } from '../identity/directory.ts';
import { Refusal } from '../platform/errors.ts';

export interface DeliveriesDeps {
  readonly store: ControlStore;
  readonly deliveries: Deliveries;
  /** Tells what sends that there is something to do. */
  readonly wakeSender: () => void;
  readonly userName: string;
}

const states: readonly DeliveryState[] = ['waiting', 'dead'];

export interface DeliveryList {
  /** Since when nothing leaves, where messages are held. */
  readonly heldSince?: number | undefined;
  readonly deliveries: readonly Delivery[];
}

/** Messages that did not arrive, or those of the states that are named. */
export async function listDeliveries(
  wishes: URLSearchParams,
  { deliveries }: DeliveriesDeps,
): Promise<DeliveryList> {
  const wanted = states.filter((state) => wishes.has(state));
  return {
    heldSince: await deliveries.heldSince(),
    deliveries: await deliveries.list(wanted.length > 0 ? wanted : states),
  };
}

/** Lets go what a restore held; `released` is null when nothing was held. */
export async function releaseDeliveries(deps: DeliveriesDeps): Promise<{ released: number | null }> {
  const { store, deliveries, wakeSender, userName } = deps;
  const directory = new Directory(store, userName);
  const actor = directory.actor('Deliveries Released', await directory.organization());
  const released = await deliveries.release(actor);
  wakeSender();
  return { released: released ?? null };
}

export async function resendDeliveries(
  wishes: URLSearchParams,
  deps: DeliveriesDeps,
): Promise<{ sent: number }> {
  const { store, deliveries, wakeSender, userName } = deps;
  const id = wishes.get('id');
  if (!id && !wishes.has('all-dead'))
    throw new Refusal('INVALID_INPUT', 'Give the id of a message, or --all-dead for all dead letters.');
  const directory = new Directory(store, userName);
  const actor = directory.actor('Deliveries Resent', await directory.organization());
  const sent = await deliveries.resend(actor, id ? { id } : 'all dead');
  wakeSender();
  return { sent };
}
