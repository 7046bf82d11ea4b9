import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { trustedAuthorities } from './authorities.ts';
import { UsageError } from './usage-error.ts';

export interface ServerAgent {
  readonly agent: HttpAgent;
  readonly request: typeof httpRequest;
}

/** `authorityFile` belongs to a server with a self-signed certificate. */
export function agentFor(url: string, authorityFile?: string): ServerAgent {
  if (!url.startsWith('https:')) return { agent: new HttpAgent({ keepAlive: true }), request: httpRequest };
  const ca = trustedAuthorities(authorityFile, process.env);
  return { agent: new HttpsAgent({ keepAlive: true, ...(ca && { ca }) }), request: httpsRequest };
}

export function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Removes trailing slashes. */
export function parseServerUrl(value: string, option = 'url'): string {
  if (!URL.canParse(value) || !/^https?:/.test(value))
    throw new UsageError(`--${option} must be a URL such as http://127.0.0.1:8480, not '${value}'.`);
  return new URL(value).href.replace(/\/+$/, '');
}

export function connectionError(url: string, error: NodeJS.ErrnoException): UsageError {
  if (/CERT|SIGNED|ISSUER|VERIFY/.test(error.code ?? ''))
    return new UsageError(
      `The certificate of ${url} is not trusted (${error.message}): set NODE_EXTRA_CA_CERTS to the PEM file of its authority, which is tls/ca.pem in the server's data directory when VEDETTE_TLS=self.`,
    );
  return new UsageError(`The server at ${url} does not answer (${error.message}): start it, or set --url.`);
}
