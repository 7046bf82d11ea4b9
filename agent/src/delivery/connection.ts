import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import {
  connect as connectTls,
  rootCertificates,
  type SecureContext,
  type ConnectionOptions as TlsOptions,
} from 'node:tls';
import { authorizationOf, proxyFor, tunnel } from './proxy.ts';

const timeout = 60_000;
const maxAnswerBytes = 64 * 1024;

export interface ConnectionOptions {
  /** Of the server, without a path. */
  readonly url: string;
  /** File with certificate authorities that are trusted besides those of Node. */
  readonly authorityFile?: string | undefined;
  /** Files of a client certificate and its key, for servers that demand one. */
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Instead of the files: many connections of one process share it. */
  readonly secureContext?: SecureContext | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Sends requests to the server: over kept connections, through a proxy if one is configured. */
export class Connection {
  readonly #url: URL;
  readonly #agent: http.Agent;
  /** Set for plain HTTP through a proxy, which takes the whole URL. */
  readonly #forwarding: URL | undefined;

  constructor(options: ConnectionOptions) {
    this.#url = new URL(options.url);
    const proxy = proxyFor(this.#url, options.environment);
    const isSecure = this.#url.protocol === 'https:';
    this.#forwarding = isSecure ? undefined : proxy;
    this.#agent = isSecure ? secureAgent(options, proxy) : new http.Agent({ keepAlive: true, maxSockets: 2 });
  }

  post(
    path: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const target = new URL(path, this.#url);
      const { request } = target.protocol === 'https:' ? https : http;
      const proxy = this.#forwarding;
      const place = proxy
        ? { host: proxy.hostname, port: proxy.port || 80, path: target.href }
        : { host: bare(target.hostname), port: target.port, path: target.pathname };
      const outgoing = request({
        ...{ ...place, method: 'POST', agent: this.#agent, timeout, signal },
        headers: {
          ...{ host: target.host, 'content-length': body.length, ...headers },
          ...(proxy && authorizationOf(proxy)),
        },
      });
      outgoing.once('response', (response) => readAnswer(response).then(resolve, reject));
      outgoing.once('timeout', () => outgoing.destroy(new Error('The server does not answer.')));
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function secureAgent(options: ConnectionOptions, proxy: URL | undefined): https.Agent {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file));
  const authority = read(options.authorityFile);
  const agent = new https.Agent({
    ...{ keepAlive: true, maxSockets: 2 },
    ...{ cert: read(options.certificateFile), key: read(options.keyFile) },
    ...(authority && { ca: [...rootCertificates, authority] }),
    ...(options.secureContext && { secureContext: options.secureContext }),
  });
  if (!proxy) return agent;
  agent.createConnection = (given, done) => {
    const options = given as TlsOptions;
    const host = String(given.host);
    tunnel(proxy, host, Number(given.port) || 443).then(
      (socket) => done?.(null, connectTls({ ...options, socket, servername: options.servername ?? host })),
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

/** Without the brackets of an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function readAnswer(response: http.IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += part.length;
    if (size > maxAnswerBytes) throw new Error('The answer is too large to be that of a Vedette server.');
    parts.push(part);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text: Buffer.concat(parts).toString('utf8') };
}
