import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Batch } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { delayAfter, delayAskedFor } from './backoff.ts';
import type { Answer, Connection } from './connection.ts';

const compress = promisify(gzip);

export interface SenderDeps {
  readonly journal: Pick<Journal, 'id' | 'next' | 'acknowledge'>;
  readonly connection: Pick<Connection, 'post'>;
  /** The current access token. */
  readonly token: () => string;
  /** Keeps the token that replaces the current one; `token` returns it from then on. */
  readonly onToken?: (token: string) => Promise<void>;
  /** Called when the server does not accept the token; `token` may return another one afterwards. */
  readonly onTokenRefused?: () => void;
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves earlier if the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: (message: string) => void;
}

/** Sends the entries of the journal in their order, each until the server has stored it. */
export class Sender {
  readonly #deps: SenderDeps;
  #failures = 0;
  #rejected = 0;
  #skew: number | undefined;
  #hasTokenFailed = false;
  #wake: () => void = () => {};

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Milliseconds by which the clock of the host is ahead of the server's; known after the first answer. */
  get clockSkew(): number | undefined {
    return this.#skew;
  }

  /** Records that the server does not accept, such as those of a newer agent. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Says that the journal has another entry. */
  wake(): void {
    this.#wake();
  }

  /** Until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const sent = await this.sendWaiting(signal);
      if (sent === 0 && !signal.aborted) await woken;
    }
  }

  /** Sends what waits now; returns the number of entries. */
  async sendWaiting(signal: AbortSignal): Promise<number> {
    const { journal } = this.#deps;
    let sent = 0;
    for (let entry = await journal.next(); entry && !signal.aborted; entry = await journal.next()) {
      for (const [index, batch] of entry.batches.entries())
        await this.#send(batch, `${journal.id}-${entry.number}-${index}`, signal);
      if (signal.aborted) break;
      await journal.acknowledge(entry.number);
      sent += 1;
    }
    return sent;
  }

  /** Until it is stored or rejected. What is rejected is divided, so that one bad record does not cost the others. */
  async #send({ path, body }: Batch, key: string, signal: AbortSignal): Promise<void> {
    const compressed = await compress(body);
    while (!signal.aborted) {
      const answer = await this.#post(path, compressed, key, signal);
      if (answer?.status === 200) {
        this.#failures = 0;
        return;
      }
      if (answer && isRejection(answer)) {
        this.#failures = 0;
        const lines = body.split('\n');
        if (lines.length === 1 || answer.status === 404) return this.#reject(path, lines.length, answer);
        const half = Math.ceil(lines.length / 2);
        await this.#send({ path, body: lines.slice(0, half).join('\n') }, `${key}a`, signal);
        await this.#send({ path, body: lines.slice(half).join('\n') }, `${key}b`, signal);
        return;
      }
      await this.#pause(answer, signal);
    }
  }

  async #post(path: string, body: Buffer, key: string, signal: AbortSignal): Promise<Answer | undefined> {
    const { connection, token, now, log } = this.#deps;
    const headers = {
      authorization: `Bearer ${token()}`,
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'idempotency-key': key,
    };
    try {
      const began = now();
      const answer = await connection.post(`/ingest/v1/${path}`, body, headers, signal);
      const date = Date.parse(answer.headers.date ?? '');
      if (!Number.isNaN(date)) this.#skew = (began + now()) / 2 - date;
      await this.#takeToken(answer);
      return answer;
    } catch (error) {
      if (this.#failures === 0 && !signal.aborted)
        log(`The server can not be reached: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** One that can not be kept comes again with the next answer. */
  async #takeToken({ headers }: Answer): Promise<void> {
    const { token, onToken, log } = this.#deps;
    const given = headers['vedette-token'];
    if (!onToken || typeof given !== 'string' || !isToken(given) || given === token()) return;
    try {
      await onToken(given);
      log('The server has replaced the access token.');
    } catch (error) {
      if (!this.#hasTokenFailed) log(`The new access token can not be kept: ${(error as Error).message}`);
      this.#hasTokenFailed = true;
    }
  }

  async #pause(answer: Answer | undefined, signal: AbortSignal): Promise<void> {
    const { now, random, wait, log } = this.#deps;
    this.#failures += 1;
    if (answer?.status === 401) this.#deps.onTokenRefused?.();
    if (answer && this.#failures === 1) log(`The server answers ${answer.status}: ${messageOf(answer)}`);
    const asked = delayAskedFor(answer?.headers['retry-after'], now(), random());
    await wait(asked ?? delayAfter(this.#failures, random()), signal);
  }

  #reject(path: string, records: number, answer: Answer): void {
    this.#rejected += records;
    this.#deps.log(`The server rejects ${records} of ${path} with ${answer.status}: ${messageOf(answer)}`);
  }
}

/** Whether the same request would be rejected again. A token that is not accepted may be later. */
function isRejection({ status }: Answer): boolean {
  return (
    status === 400 || status === 404 || status === 409 || status === 413 || status === 415 || status === 422
  );
}

/** Whether it can be sent in a header, and is not something that a proxy has added. */
function isToken(text: string): boolean {
  return /^[\w-]{16,200}$/.test(text);
}

function messageOf({ text }: Answer): string {
  try {
    return String(JSON.parse(text).message).slice(0, 500);
  } catch {
    return 'no message.';
  }
}
