import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';

/**
 * Preloaded into a server: no name resolves and no connection leaves the host, whatever addresses
 * generated requests contain.
 */
const error = () => Object.assign(new Error('This process is offline.'), { code: 'ENOTFOUND' });
const isLocal = (host: string) => /^(?:127\.|::1$|localhost$)/.test(host);

const { lookup } = dns;
const lookupAsync = dns.promises.lookup;
Object.assign(dns, {
  lookup(host: string, ...parameters: unknown[]) {
    if (isIP(host) || isLocal(host)) return Reflect.apply(lookup, dns, [host, ...parameters]);
    process.nextTick(() => (parameters.at(-1) as (error: Error) => void)(error()));
  },
});
Object.assign(dns.promises, {
  async lookup(host: string, ...parameters: unknown[]) {
    if (isIP(host) || isLocal(host)) return Reflect.apply(lookupAsync, dns.promises, [host, ...parameters]);
    throw error();
  },
});
syncBuiltinESMExports();

const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...parameters: unknown[]) {
  // Node's own callers pass normalized parameters: one array that starts with the options.
  const [first] = parameters.flat() as [{ host?: string } | number];
  const host = typeof first === 'object' ? first.host : parameters[1];
  if (typeof host === 'string' && isIP(host) && !isLocal(host)) {
    process.nextTick(() => this.destroy(error()));
    return this;
  }
  return Reflect.apply(connect, this, parameters) as Socket;
} as typeof connect;
