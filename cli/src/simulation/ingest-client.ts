import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readJson } from '../operator-client.ts';
import { agentFor, connectionError, type ServerAgent } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import type { Batch } from './batches.ts';

export interface Destination {
  readonly url: string;
  readonly token: string;
  /** Certificate authority of a server with a self-signed certificate. */
  readonly authorityFile?: string;
  /** Whether bodies are compressed. */
  readonly compress: boolean;
  wait(milliseconds: number): Promise<unknown>;
}

const gzipAsync = promisify(gzip);
/** Exponential backoff in milliseconds, unless the server sends Retry-After. */
const [initialDelay, maxDelay, maxAttempts] = [250, 15_000, 14];

/** Sends batches to the ingest API. */
export class IngestClient {
  readonly #destination: Destination;
  readonly #server: ServerAgent;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#server = agentFor(destination.url, destination.authorityFile);
  }

  /** Resolves when the batch is durable, with the number of its records that were stored before. */
  async send(batch: Batch): Promise<number> {
    const body = this.#destination.compress
      ? await gzipAsync(batch.body, { level: 1 })
      : Buffer.from(batch.body);
    for (let attempt = 1; ; attempt++) {
      const response = await this.#post(batch, body);
      const { message, data } = (await readJson(response).catch(() => ({}))) as IngestResponse;
      if (response.statusCode === 200) return data?.repeated ?? 0;
      const isBusy = response.statusCode === 429 || response.statusCode === 503;
      if (!isBusy || attempt === maxAttempts) {
        const reason = message ?? 'no message.';
        throw new UsageError(`The server rejected ${batch.path} with ${response.statusCode}: ${reason}`);
      }
      await this.#destination.wait(delayAfter(attempt, response.headers['retry-after']));
    }
  }

  close(): void {
    this.#server.agent.destroy();
  }

  #post({ path, idempotencyKey }: Batch, body: Buffer): Promise<IncomingMessage> {
    const { url, token, compress } = this.#destination;
    const { agent, request } = this.#server;
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}/ingest/v1/${path}`, {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          ...(compress && { 'content-encoding': 'gzip' }),
          'content-length': body.length,
          'idempotency-key': idempotencyKey,
        },
      });
      outgoing.once('response', resolve);
      outgoing.once('error', (error) => reject(connectionError(url, error)));
      outgoing.end(body);
    });
  }
}

interface IngestResponse {
  readonly message?: string;
  readonly data?: { readonly repeated?: number };
}

function delayAfter(attempt: number, retryAfter: string | undefined): number {
  if (retryAfter && /^\d{1,4}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return Math.min(maxDelay, initialDelay * 2 ** (attempt - 1));
}
