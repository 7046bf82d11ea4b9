import { randomUUID } from 'node:crypto';
import { decodeEntry, type Entry, encodeEntry } from '@vedette/agent/journal/entry';
import { HourMemory } from '@vedette/agent/journal/hour-memory';
import type { Journal, NewEntry } from '@vedette/agent/journal/journal';

/** Compressed; hours of an outage for one host. */
const defaultMaxBytes = 256 * 1024;
const maxEntryBytes = 64 * 1024 * 1024;

interface Waiting {
  readonly number: number;
  readonly payload: Buffer;
  readonly batches: number;
}

/** The journal of an agent without a disk. It is compressed as on disk: thousands of agents share one process. */
export class MemoryJournal
  implements Pick<Journal, 'id' | 'memory' | 'cursor' | 'append' | 'next' | 'acknowledge'>
{
  readonly id = randomUUID();
  readonly memory = new HourMemory();
  readonly #cursors = new Map<string, unknown>();
  readonly #maxBytes: number;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #lastNumber = 0;
  #dropped = { entries: 0, batches: 0 };
  #onEmpty: () => void = () => {};

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Entries that were dropped because the server was away for too long. */
  get lost(): number {
    return this.#dropped.entries;
  }

  /** Batches that the server has not stored: those that wait, and those that were dropped. */
  get owedBatches(): number {
    return this.#waiting.reduce((sum, { batches }) => sum + batches, this.#dropped.batches);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  cursor(source: string): unknown {
    return this.#cursors.get(source);
  }

  async append({ digests, ...added }: NewEntry): Promise<void> {
    const number = ++this.#lastNumber;
    for (const [path, bytes] of digests) this.memory.remember(added.hour, path, bytes);
    if (added.cursor !== undefined) this.#cursors.set(added.source, added.cursor);
    if (added.batches.length === 0) return;
    // Only a journal on disk needs the digests again, after a start.
    const payload = encodeEntry({ ...added, number, digests: new Map() });
    this.#waiting.push({ number, payload, batches: added.batches.length });
    this.#bytes += payload.length;
    while (this.#bytes > this.#maxBytes && this.#waiting.length > 1) this.#drop();
  }

  async next(): Promise<Entry | undefined> {
    const [first] = this.#waiting;
    return first && decodeEntry(first.payload, maxEntryBytes);
  }

  async acknowledge(number: number): Promise<void> {
    this.#waiting = this.#waiting.filter((one) => one.number > number);
    this.#bytes = this.#waiting.reduce((sum, { payload }) => sum + payload.length, 0);
    if (this.isEmpty) this.#onEmpty();
  }

  /** Resolves when the server has stored everything, or the signal aborts. */
  async emptied(signal: AbortSignal): Promise<void> {
    if (this.isEmpty || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** The oldest: what is newer tells more about the host. */
  #drop(): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    this.#bytes -= oldest.payload.length;
    this.#dropped.entries += 1;
    this.#dropped.batches += oldest.batches;
  }
}
