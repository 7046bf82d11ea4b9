import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readJson } from '../operator-client.ts';
import { agentFor, connectionError, type ServerAgent } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import type { Destination } from './destination.ts';

const gzipAsync = promisify(gzip);
/** Exponential backoff in milliseconds, unless the server sends Retry-After. */
const [initialDelay, maxDelay, maxAttempts] = [250, 15_000, 14];

export interface IngestRequest {
  /** Below /ingest/v1/. */
  readonly path: string;
  /** What it is called in messages. */
  readonly name: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is also sent again if there was no answer, because a repeat changes nothing. */
  readonly isRepeatable?: boolean;
}

/** Sends requests to the ingest interface, again and again while the server is busy. */
export class IngestRequests {
  readonly #destination: Destination;
  readonly #server: ServerAgent;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#server = agentFor(destination.url, destination.authorityFile);
  }

  /** Resolves with `data` of the answer when what was sent is durable. */
  async send<Data>(request: IngestRequest): Promise<Data | undefined> {
    const isCompressed = this.#destination.compress && request.body !== '';
    const body = isCompressed ? await gzipAsync(request.body, { level: 1 }) : Buffer.from(request.body);
    for (let attempt = 1; ; attempt++) {
      const response = await this.#post(request, body, isCompressed).catch((error: unknown) => {
        if (!request.isRepeatable || attempt === maxAttempts) throw error;
        return undefined;
      });
      if (response) {
        const { message, data } = (await readJson(response).catch(() => ({}))) as Answer<Data>;
        if (response.statusCode === 200) return data;
        const isBusy = response.statusCode === 429 || response.statusCode === 503;
        if (!isBusy || attempt === maxAttempts) {
          const reason = message ?? 'no message.';
          throw new UsageError(`The server rejected ${request.name} with ${response.statusCode}: ${reason}`);
        }
      }
      await this.#destination.wait(delayAfter(attempt, response?.headers['retry-after']));
    }
  }

  close(): void {
    this.#server.agent.destroy();
  }

  #post({ path, headers }: IngestRequest, body: Buffer, isCompressed: boolean): Promise<IncomingMessage> {
    const { url, token } = this.#destination;
    const { agent, request } = this.#server;
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}/ingest/v1/${path}`, {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          ...(isCompressed && { 'content-encoding': 'gzip' }),
          'content-length': body.length,
          ...headers,
        },
      });
      outgoing.once('response', resolve);
      outgoing.once('error', (error) => reject(connectionError(url, error)));
      outgoing.end(body);
    });
  }
}

interface Answer<Data> {
  readonly message?: string;
  readonly data?: Data;
}

function delayAfter(attempt: number, retryAfter: string | undefined): number {
  if (retryAfter && /^\d{1,4}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return Math.min(maxDelay, initialDelay * 2 ** (attempt - 1));
}
