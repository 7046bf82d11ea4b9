import { request } from 'node:http';
import type { Socket } from 'node:net';

const timeout = 15_000;

/** The proxy for a URL by the variables that curl and others read; undefined if it is reached directly. */
export function proxyFor(
  url: URL,
  environment: Readonly<Record<string, string | undefined>>,
): URL | undefined {
  const variable = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  const proxy = url.protocol === 'https:' ? variable('HTTPS_PROXY') : variable('HTTP_PROXY');
  if (!proxy || isExempt(url, variable('NO_PROXY') ?? '')) return undefined;
  try {
    return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
  } catch {
    throw new Error('The proxy of HTTPS_PROXY or HTTP_PROXY is not a URL such as http://proxy:3128.');
  }
}

/** By name with its subdomains, with a port or without one; `*` exempts all. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80');
  return list.split(',').some((item) => {
    const [, name = '', itsPort] = /^\s*\*?\.?(.*?)(?::(\d+))?\s*$/.exec(item) ?? [];
    if (item.trim() === '*') return true;
    if (name === '' || (itsPort !== undefined && itsPort !== own)) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** A connection through the proxy to a host and port. */
export function tunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const outgoing = request({
      ...{ host: proxy.hostname, port: proxy.port || 80, method: 'CONNECT', path: place, timeout },
      headers: { host: place, ...authorizationOf(proxy) },
    });
    outgoing.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`The proxy ${proxy.host} refuses a connection to ${place} with ${statusCode}.`));
    });
    outgoing.once('response', ({ statusCode }) => {
      outgoing.destroy(
        new Error(`The proxy ${proxy.host} refuses a connection to ${place} with ${statusCode}.`),
      );
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`The proxy ${proxy.host} does not answer.`)));
    outgoing.once('error', reject);
    outgoing.end();
  });
}

export function authorizationOf({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
