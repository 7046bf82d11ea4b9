import type { Answer, Connection } from '@vedette/agent/delivery/connection';
import type { FleetCounts } from './fleet-counts.ts';

const ingest = '/ingest/v1/';

/** The connection of one agent, whose requests are counted. */
export class CountedConnection implements Pick<Connection, 'post' | 'close'> {
  readonly #connection: Connection;
  readonly #counts: FleetCounts;
  #lastKey: string | undefined;
  #isKnown = false;

  constructor(connection: Connection, counts: FleetCounts) {
    this.#connection = connection;
    this.#counts = counts;
  }

  async post(
    path: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const key = headers['idempotency-key'];
    this.#counts.sent += 1;
    if (key !== undefined && key === this.#lastKey) this.#counts.retried += 1;
    this.#lastKey = key;
    try {
      const answer = await this.#connection.post(path, body, headers, signal);
      this.#counts.note(path.slice(ingest.length), answer);
      if (answer.status === 200 && !this.#isKnown) {
        this.#isKnown = true;
        this.#counts.agents += 1;
      }
      return answer;
    } catch (error) {
      if (!signal.aborted) this.#counts.unanswered += 1;
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }
}
