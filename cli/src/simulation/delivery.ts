import type { Batch } from './batches.ts';
import type { IngestClient } from './ingest-client.ts';

export interface DeliveryOptions {
  /** Maximum records per second. */
  readonly rate: number | undefined;
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Called after each batch with the progress from 0 to 1 and the number of records sent. */
  onProgress(share: number, records: number): void;
}

export interface DeliveryResult {
  readonly records: number;
  readonly stored: number;
  /** Already stored by the server. */
  readonly repeated: number;
  readonly batches: number;
}

/** Lets the server commit some batches together while it receives others, within its queue of an account. */
const maxInFlight = { batches: 224, characters: 16 * 1024 * 1024 };

/** Sends batches in order with bounded concurrency. Stops at the first failure. */
export async function deliver(
  batches: Iterable<Batch>,
  client: Pick<IngestClient, 'send'>,
  { rate, now, wait, onProgress }: DeliveryOptions,
): Promise<DeliveryResult> {
  const sent = { records: 0, stored: 0, repeated: 0, batches: 0 };
  const inFlight = new Set<Promise<void>>();
  let [share, characters] = [0, 0];
  /** Earliest send time of the next batch. Delays are not caught up, which would exceed the rate. */
  let next = now();
  for (const batch of batches) {
    if (rate !== undefined) {
      await wait(Math.max(0, next - now()));
      next = Math.max(next, now()) + (batch.records / rate) * 1_000;
    }
    const sending = client.send(batch).then((repeated) => {
      inFlight.delete(sending);
      characters -= batch.body.length;
      sent.records += batch.records;
      sent.stored += batch.records - repeated;
      sent.repeated += repeated;
      sent.batches++;
      share = Math.max(share, batch.share);
      onProgress(share, sent.records);
    });
    // Several may fail before the first rejection is awaited below.
    sending.catch(() => {});
    inFlight.add(sending);
    characters += batch.body.length;
    while (inFlight.size >= maxInFlight.batches || characters >= maxInFlight.characters)
      await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
  return sent;
}
