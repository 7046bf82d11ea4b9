import type { Destination } from '../ingest/destination.ts';
import { IngestRequests } from '../ingest/ingest-requests.ts';
import type { Batch } from './batches.ts';

/** Sends batches to the ingest API. */
export class IngestClient {
  readonly #requests: IngestRequests;

  constructor(destination: Destination) {
    this.#requests = new IngestRequests(destination);
  }

  /** Resolves when the batch is durable, with the number of its records that were stored before. */
  async send({ path, body, idempotencyKey }: Batch): Promise<number> {
    const headers = { 'idempotency-key': idempotencyKey };
    const data = await this.#requests.send<{ repeated?: number }>({ path, name: path, body, headers });
    return data?.repeated ?? 0;
  }

  close(): void {
    this.#requests.close();
  }
}
