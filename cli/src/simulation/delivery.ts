import type { Batch } from './batches.ts';
import type { IngestClient } from './ingest-client.ts';

export interface Pace {
  /** Records per second at most. */
  readonly rate: number | undefined;
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Called after each batch with the share of the simulation that is sent, from 0 to 1, and the records until then. */
  onProgress(share: number, records: number): void;
}

export interface Sent {
  readonly records: number;
  /** Those of them that were new to the server. */
  readonly stored: number;
  /** Those that it had stored before. */
  readonly repeated: number;
  readonly batches: number;
}

/** Some of them are committed together by the server while others are received. */
const mostAtOnce = 96;

/** Sends all batches, in their order but for a few at once. The first that fails ends it. */
export async function deliver(
  batches: Iterable<Batch>,
  client: Pick<IngestClient, 'send'>,
  { rate, now, wait, onProgress }: Pace,
): Promise<Sent> {
  const sent = { records: 0, stored: 0, repeated: 0, batches: 0 };
  const underway = new Set<Promise<void>>();
  let share = 0;
  /** When the next one may go. What was late is not made up for, which would be faster than was asked for. */
  let next = now();
  for (const batch of batches) {
    if (rate !== undefined) {
      await wait(Math.max(0, next - now()));
      next = Math.max(next, now()) + (batch.records / rate) * 1_000;
    }
    const sending = client.send(batch).then((repeated) => {
      underway.delete(sending);
      sent.records += batch.records;
      sent.stored += batch.records - repeated;
      sent.repeated += repeated;
      sent.batches++;
      share = Math.max(share, batch.share);
      onProgress(share, sent.records);
    });
    // Several may fail before the first is noticed below.
    sending.catch(() => {});
    underway.add(sending);
    if (underway.size >= mostAtOnce) await Promise.race(underway);
  }
  await Promise.all(underway);
  return sent;
}
