import { addressMatcher } from '../platform/client-address.ts';

const isLoopbackAddress = addressMatcher(['loopback']);

/** Whether a host name, as in a URL, always denotes this computer. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/**
 * The base URL to open in a browser. On loopback it is a name of its own: on `localhost` every other program of the host
 * would receive the session cookie, and passkeys need a name.
 */
export function consoleUrl(url: string): string {
  const address = new URL(url);
  if (isLoopbackHost(address.hostname)) address.hostname = 'vedette.localhost';
  return address.origin;
}

/** Whether browsers keep the session cookie at this URL: with HTTPS, and without it on loopback only. */
export function keepsCookie(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopbackHost(hostname);
}
