import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readJson } from '../operator.ts';
import { agentFor, noAnswer, type ServerAgent } from '../server-agent.ts';
import { UsageError } from '../usage-error.ts';
import type { Batch } from './batches.ts';

export interface Destination {
  readonly url: string;
  readonly token: string;
  /** The authority of a server with a certificate that it made itself. */
  readonly authorityFile?: string;
  /** Waits so many milliseconds. */
  wait(milliseconds: number): Promise<unknown>;
}

const pack = promisify(gzip);
/** A busy server is asked again when it says, or after a quarter of a second and then twice as long each time. */
const [firstPause, longestPause, mostAttempts] = [250, 15_000, 14];

/** Reports batches as an agent does. */
export class IngestClient {
  readonly #destination: Destination;
  readonly #server: ServerAgent;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#server = agentFor(destination.url, destination.authorityFile);
  }

  /** Resolves when the batch is durable, with the number of its records that were stored before. */
  async send(batch: Batch): Promise<number> {
    const body = await pack(batch.text, { level: 1 });
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#post(batch, body);
      const { message, data } = (await readJson(answer).catch(() => ({}))) as Said;
      if (answer.statusCode === 200) return data?.repeated ?? 0;
      const isBusy = answer.statusCode === 429 || answer.statusCode === 503;
      if (!isBusy || attempt === mostAttempts) {
        const said = message ?? 'It did not say why.';
        throw new UsageError(`The server refused ${batch.path} with ${answer.statusCode}: ${said}`);
      }
      await this.#destination.wait(pauseAfter(attempt, answer.headers['retry-after']));
    }
  }

  close(): void {
    this.#server.agent.destroy();
  }

  #post({ path, idempotencyKey }: Batch, body: Buffer): Promise<IncomingMessage> {
    const { url, token } = this.#destination;
    const { agent, request } = this.#server;
    return new Promise((resolve, reject) => {
      const asked = request(`${url}/ingest/v1/${path}`, {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          'content-encoding': 'gzip',
          'content-length': body.length,
          'idempotency-key': idempotencyKey,
        },
      });
      asked.once('response', resolve);
      asked.once('error', (error) => reject(noAnswer(url, error)));
      asked.end(body);
    });
  }
}

interface Said {
  readonly message?: string;
  readonly data?: { readonly repeated?: number };
}

/** What the server asks for, when it says so in seconds. */
function pauseAfter(attempt: number, retryAfter: string | undefined): number {
  if (retryAfter && /^\d{1,4}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return Math.min(longestPause, firstPause * 2 ** (attempt - 1));
}
