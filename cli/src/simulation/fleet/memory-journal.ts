import { randomUUID } from 'node:crypto';
import type { AgentDeps } from '@vedette/agent/agent';
import type { SenderDeps } from '@vedette/agent/delivery/sender';
import { decodeEntry, type Entry, encodeEntry } from '@vedette/agent/journal/entry';
import type { NewEntry } from '@vedette/agent/journal/journal';

/** Characters, or bytes if compressed. */
const defaultLimits = { plain: 16 * 1024, total: 384 * 1024 };
const maxEntryBytes = 64 * 1024 * 1024;
const noDigest = Buffer.alloc(0);

type AgentJournal = AgentDeps['journal'];
type SenderJournal = SenderDeps['journal'];

interface Waiting {
  readonly number: number;
  readonly batches: number;
  readonly size: number;
  /** Compressed if the journal is long: thousands of agents share the memory of one process. */
  readonly entry: Entry | Buffer;
}

/** The journal of a simulated agent: in memory, and without a memory of the hour, as its sources report changes only. */
export class MemoryJournal implements AgentJournal, SenderJournal {
  readonly id = randomUUID();
  readonly memory = {
    unreported: (_hour: number, _path: string, records: readonly Readonly<Record<string, unknown>>[]) =>
      records.map((record) => ({ record, digest: noDigest })),
  };
  readonly #limits: typeof defaultLimits;
  readonly #cursors = new Map<string, unknown>();
  #waiting: Waiting[] = [];
  #size = 0;
  #lastNumber = 0;
  #dropped = { entries: 0, batches: 0 };
  #onEmpty: () => void = () => {};

  constructor(limits = defaultLimits) {
    this.#limits = limits;
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

  async append(added: NewEntry): Promise<void> {
    if (added.cursor !== undefined) this.#cursors.set(added.source, added.cursor);
    const entry = { ...added, number: ++this.#lastNumber };
    const batches = added.batches.length;
    if (batches === 0) return;
    const length = added.batches.reduce((sum, { body }) => sum + body.length, 0);
    const kept = this.#size + length > this.#limits.plain ? encodeEntry(entry) : entry;
    const size = Buffer.isBuffer(kept) ? kept.length : length;
    this.#waiting.push({ number: entry.number, batches, size, entry: kept });
    this.#size += size;
    while (this.#size > this.#limits.total && this.#waiting.length > 1) this.#drop();
  }

  async next(): Promise<Entry | undefined> {
    const entry = this.#waiting[0]?.entry;
    return Buffer.isBuffer(entry) ? decodeEntry(entry, maxEntryBytes) : entry;
  }

  async acknowledge(number: number): Promise<void> {
    this.#waiting = this.#waiting.filter((one) => one.number > number);
    this.#size = this.#waiting.reduce((sum, { size }) => sum + size, 0);
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

  /** The oldest, as on disk: what is newer tells more about the host. */
  #drop(): void {
    const oldest = this.#waiting.shift();
    if (!oldest) return;
    this.#size -= oldest.size;
    this.#dropped.entries += 1;
    this.#dropped.batches += oldest.batches;
  }
}
