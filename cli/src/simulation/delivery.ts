import type { Batch } from './batches.ts';
import type { IngestClient } from './ingest-client.ts';

export interface Pace {
  /** Records per second at most. */
  readonly rate: number | undefined;
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Told after each batch: the hour it was about, and the records until then. */
  onProgress(hour: number, records: number): void;
}

export interface Sent {
  readonly records: number;
  readonly batches: number;
}

/** As many as a server commits together. */
const mostAtOnce = 32;

/** Sends all batches, in their order but for a few at once. The first that fails ends it. */
export async function deliver(
  batches: Iterable<Batch>,
  client: Pick<IngestClient, 'send'>,
  { rate, now, wait, onProgress }: Pace,
): Promise<Sent> {
  const sent = { records: 0, batches: 0 };
  const underway = new Set<Promise<void>>();
  /** When the next one may go. What was late is not made up for, which would be faster than was asked for. */
  let next = now();
  for (const batch of batches) {
    if (rate !== undefined) {
      await wait(Math.max(0, next - now()));
      next = Math.max(next, now()) + (batch.records / rate) * 1_000;
    }
    const sending = client.send(batch).then(() => {
      underway.delete(sending);
      sent.records += batch.records;
      sent.batches++;
      onProgress(batch.hour, sent.records);
    });
    // Several may fail before the first is noticed below.
    sending.catch(() => {});
    underway.add(sending);
    if (underway.size >= mostAtOnce) await Promise.race(underway);
  }
  await Promise.all(underway);
  return sent;
}
