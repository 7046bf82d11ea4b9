import { BulkOutbound } from '../outbound/bulk-outbound.ts';
import { GuardedOutbound } from '../outbound/guarded-outbound.ts';
import type { Resolve } from '../outbound/route.ts';
import type { Receiver } from './receiver.ts';

/** A public address for the guard; nothing is ever sent there. */
export const publicAddress = '93.184.215.14';

export interface TestNetwork {
  /** Addresses by host name; other hosts have none. */
  readonly hosts: Readonly<Record<string, string | readonly string[]>>;
  /** The receiver behind every public address and port. */
  readonly receiver: Receiver;
  readonly allowsPrivate?: boolean;
}

/** The real guarded client in a simulated network. */
export function outboundIn({ hosts, receiver, allowsPrivate = false }: TestNetwork): GuardedOutbound {
  const resolve: Resolve = async (host) => [hosts[host] ?? []].flat();
  return new GuardedOutbound({ allowsPrivate, resolve, elsewhere: elsewhere(receiver) });
}

/** The real bulk client in a simulated network. */
export function bulkOutboundIn({ hosts, receiver, allowsPrivate = false }: TestNetwork): BulkOutbound {
  const resolve: Resolve = async (host) => [hosts[host] ?? []].flat();
  return new BulkOutbound({ allowsPrivate, resolve, elsewhere: elsewhere(receiver) });
}

/** Routes all requests to these hosts, such as api.pagerduty.com, to the receiver, which must use the same names. */
export function outboundTo(receiver: Receiver, names: readonly string[]): GuardedOutbound {
  return outboundIn({ receiver, hosts: Object.fromEntries(names.map((name) => [name, publicAddress])) });
}

export function elsewhere(receiver: Receiver) {
  return {
    authority: receiver.authority,
    find: () => ({ address: '127.0.0.1', port: receiver.port }),
  };
}
