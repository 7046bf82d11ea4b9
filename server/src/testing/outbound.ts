import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import type { Resolve } from '../outbound/route.ts';
import type { Receiver } from './receiver.ts';

/** An address of the public internet, as the guard sees it; nothing is ever sent there. */
export const publicAddress = '93.184.215.14';

export interface TestNetwork {
  /** Hosts by name; those that are not given have no address. */
  readonly hosts: Readonly<Record<string, string | readonly string[]>>;
  /** Who answers at every public address, whatever the port. */
  readonly receiver: Receiver;
  readonly allowsPrivate?: boolean;
}

/** The guarded client of the product in a network of a test's own. */
export function outboundIn({ hosts, receiver, allowsPrivate = false }: TestNetwork): GuardedOutbound {
  const resolve: Resolve = async (host) => [hosts[host] ?? []].flat();
  return new GuardedOutbound({ allowsPrivate, resolve, elsewhere: elsewhere(receiver) });
}

/** All requests to these hosts, such as api.pagerduty.com, arrive at the receiver; give it the same names. */
export function outboundTo(receiver: Receiver, names: readonly string[]): GuardedOutbound {
  return outboundIn({ receiver, hosts: Object.fromEntries(names.map((name) => [name, publicAddress])) });
}

export function elsewhere(receiver: Receiver) {
  return {
    authority: receiver.authority,
    find: () => ({ address: '127.0.0.1', port: receiver.port }),
  };
}
