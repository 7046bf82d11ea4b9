import type { FastifyRequest } from 'fastify';
import { consoleUrl, isLoopbackHost, keepsCookie } from '../identity/console-url.ts';
import { Refusal } from '../platform/errors.ts';

type RequestHead = Pick<FastifyRequest, 'headers' | 'host' | 'hostname' | 'method' | 'protocol'>;

/**
 * Decides which requests may use the session cookie: those of the console's own pages. Browsers send it along with requests
 * that pages of other programs on the same host make, because cookies know no ports.
 */
export class ConsoleOrigin {
  readonly #address: () => string;
  #parsed: URL | undefined;

  /** `address`: base URL of the service; empty until the server listens. */
  constructor(address: () => string) {
    this.#address = address;
  }

  /** Undefined if the request may use or change the session. */
  refusal(request: RequestHead): Refusal | undefined {
    if (!this.#isOwnHost(request.hostname)) return this.#foreignHost();
    return this.#isFromConsole(request) ? undefined : foreignPage();
  }

  /** Also refuses a sign-in whose cookie the browser would drop, before a password is sent again in plain text. */
  signInRefusal(request: RequestHead): Refusal | undefined {
    return keepsCookie(this.#pageOf(request)) ? this.refusal(request) : insecure();
  }

  /** By Sec-Fetch-Site; older browsers do not send it, and then the Origin of every change must be ours. */
  #isFromConsole(request: RequestHead): boolean {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    if (request.method === 'GET' || request.method === 'HEAD') return true;
    return origin !== undefined && this.#ownOrigins(request).includes(origin.toLowerCase());
  }

  /** Against DNS rebinding, by which a foreign name denotes this server. */
  #isOwnHost(hostname: string): boolean {
    return isLoopbackHost(hostname) || hostname.toLowerCase() === this.#url()?.hostname;
  }

  /** A proxy may have terminated TLS: the public address counts as well. */
  #ownOrigins({ protocol, host }: RequestHead): string[] {
    const origin = this.#url()?.origin;
    return [`${protocol}://${host}`.toLowerCase(), ...(origin === undefined ? [] : [origin])];
  }

  /** Origin of the page that sends the request; browsers send it with every POST. */
  #pageOf({ headers, protocol, host, hostname }: RequestHead): string {
    if (headers.origin !== undefined && URL.canParse(headers.origin)) return headers.origin;
    const url = this.#url();
    return url?.hostname === hostname.toLowerCase() ? url.origin : `${protocol}://${host || 'unknown'}`;
  }

  #url(): URL | undefined {
    const address = this.#address();
    // It is known once the server listens, and then stays the same.
    if (address !== '') this.#parsed ??= new URL(address);
    return this.#parsed;
  }

  #foreignHost(): Refusal {
    const url = consoleUrl(this.#address() || 'http://localhost');
    return new Refusal(
      'FORBIDDEN',
      `The console is not available under this host name: open ${url}, or set VEDETTE_PUBLIC_URL to the address that you use.`,
    );
  }
}

function foreignPage(): Refusal {
  return new Refusal(
    'FORBIDDEN',
    'The session can be used by pages of the console only: programs send an access token instead.',
  );
}

function insecure(): Refusal {
  return new Refusal(
    'FORBIDDEN',
    'Sign-in needs HTTPS here: start the server with VEDETTE_TLS=self, or use a proxy with TLS and set VEDETTE_PUBLIC_URL.',
  );
}
