import { existsSync, readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readJson } from '../operator.ts';
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
/** A busy server is asked again after a quarter of a second, then twice as long each time: two minutes in all. */
const [firstPause, longestPause, mostAttempts] = [250, 15_000, 14];

/** Reports batches as an agent does. */
export class IngestClient {
  readonly #destination: Destination;
  readonly #agent: HttpAgent;
  readonly #isSecure: boolean;

  constructor(destination: Destination) {
    this.#destination = destination;
    this.#isSecure = destination.url.startsWith('https:');
    const { authorityFile } = destination;
    const authority = authorityFile && existsSync(authorityFile) ? readFileSync(authorityFile, 'utf8') : '';
    this.#agent = this.#isSecure
      ? new HttpsAgent({ keepAlive: true, ca: [...rootCertificates, ...(authority ? [authority] : [])] })
      : new HttpAgent({ keepAlive: true });
  }

  /** Resolves when the batch is durable. */
  async send(batch: Batch): Promise<void> {
    const body = await pack(batch.text, { level: 1 });
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#post(batch, body);
      const { message } = (await readJson(answer).catch(() => ({}))) as { message?: string };
      if (answer.statusCode === 200) return;
      const isBusy = answer.statusCode === 429 || answer.statusCode === 503;
      if (!isBusy || attempt === mostAttempts) {
        const said = message ?? 'It did not say why.';
        throw new UsageError(`The server refused ${batch.path} with ${answer.statusCode}: ${said}`);
      }
      await this.#destination.wait(pauseAfter(attempt, answer.headers['retry-after']));
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #post({ path, idempotencyKey }: Batch, body: Buffer): Promise<IncomingMessage> {
    const { url, token } = this.#destination;
    const send = this.#isSecure ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const asked = send(`${url}/ingest/v1/${path}`, {
        method: 'POST',
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          'content-encoding': 'gzip',
          'content-length': body.length,
          'idempotency-key': idempotencyKey,
        },
      });
      asked.once('response', resolve);
      asked.once('error', (error) =>
        reject(
          new UsageError(`The server at ${url} does not answer (${error.message}): start it, or set --url.`),
        ),
      );
      asked.end(body);
    });
  }
}

/** What the server asks for, when it says so in seconds. */
function pauseAfter(attempt: number, retryAfter: string | undefined): number {
  if (retryAfter && /^\d{1,4}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return Math.min(longestPause, firstPause * 2 ** (attempt - 1));
}
