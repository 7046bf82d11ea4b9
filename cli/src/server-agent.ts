import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { trustedAuthorities } from './authorities.ts';
import { UsageError } from './usage-error.ts';

/** How to reach a server by its address. */
export interface ServerAgent {
  readonly agent: HttpAgent;
  readonly request: typeof httpRequest;
}

/** `authorityFile` is that of a server with a certificate that it made itself. */
export function agentFor(url: string, authorityFile?: string): ServerAgent {
  if (!url.startsWith('https:')) return { agent: new HttpAgent({ keepAlive: true }), request: httpRequest };
  const ca = trustedAuthorities(authorityFile, process.env);
  return { agent: new HttpsAgent({ keepAlive: true, ...(ca && { ca }) }), request: httpsRequest };
}

/** The address of a server without what may stand at its end. */
export function readAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`--url must be an address such as http://127.0.0.1:8480, not '${text}'.`);
  return new URL(text).href.replace(/\/+$/, '');
}

export function noAnswer(url: string, error: NodeJS.ErrnoException): UsageError {
  if (/CERT|SIGNED|ISSUER|VERIFY/.test(error.code ?? ''))
    return new UsageError(
      `The certificate of ${url} is not trusted (${error.message}): set NODE_EXTRA_CA_CERTS to the PEM file of its authority, which is tls/ca.pem in the server's data directory when VEDETTE_TLS=self.`,
    );
  return new UsageError(`The server at ${url} does not answer (${error.message}): start it, or set --url.`);
}
