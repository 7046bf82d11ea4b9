import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeEntry, type Entry, encodeEntry } from './entry.ts';
import type { FramePlace } from './frame.ts';
import { HourMemory } from './hour-memory.ts';
import { Segment } from './segment.ts';

/** Segments are removed as a whole: small ones free their space earlier. */
const segmentBytes = 4 * 1024 * 1024;
/** Of an entry that is not compressed. */
const maxEntryBytes = 64 * 1024 * 1024;
const stateFile = 'state.json';

export interface JournalOptions {
  readonly directory: string;
  /** What waits for the server is at most so large; then the oldest is lost. */
  readonly maxBytes: number;
}

/** What an observation adds, before it has a number. */
export type NewEntry = Omit<Entry, 'number'>;

/** An entry that the server has not stored. */
interface Waiting {
  readonly number: number;
  readonly part: Part;
  readonly place: FramePlace;
}

interface Part {
  readonly segment: Segment;
  /** The last hour and the last number of its entries. */
  hour: number;
  number: number;
}

interface State {
  /** Identifies the journal to the server, together with the number of an entry. */
  readonly id: string;
  /** The last entry that the server has stored. */
  readonly acknowledged: number;
  readonly lost: number;
}

/**
 * What was observed, on disk until the server has stored it. The entries of the current hour are kept longer: from them an
 * agent that is started again knows what it has reported.
 */
export class Journal {
  readonly memory = new HourMemory();
  readonly #options: JournalOptions;
  readonly #cursors = new Map<string, unknown>();
  #parts: Part[] = [];
  #waiting: Waiting[] = [];
  #state: State;
  #lastNumber = 0;
  #lastHour = 0;
  #damagedBytes = 0;

  private constructor(options: JournalOptions, state: State) {
    this.#options = options;
    this.#state = state;
  }

  static async open(options: JournalOptions): Promise<Journal> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const state = await readState(options.directory);
    const journal = new Journal(options, state ?? { id: randomUUID(), acknowledged: 0, lost: 0 });
    await journal.#load();
    if (!state) await journal.#save({});
    return journal;
  }

  get id(): string {
    return this.#state.id;
  }

  /** Entries that were dropped because the server was away for too long. */
  get lost(): number {
    return this.#state.lost;
  }

  /** Bytes of the journal that were found damaged when it was opened. */
  get damagedBytes(): number {
    return this.#damagedBytes;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  cursor(source: string): unknown {
    return this.#cursors.get(source);
  }

  /** Durable when it resolves, and remembered. */
  async append(added: NewEntry): Promise<void> {
    const entry: Entry = { ...added, number: this.#lastNumber + 1 };
    const payload = encodeEntry(entry);
    await this.#makeSpace(payload.length);
    const part = await this.#partFor(entry);
    this.#add(entry, part, await part.segment.append(payload));
  }

  /** The oldest entry that the server has not stored. */
  async next(): Promise<Entry | undefined> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const payload = await first.part.segment.payload(first.place);
      const entry = payload && decodeEntry(payload, maxEntryBytes);
      if (entry) return entry;
      this.#damagedBytes += first.place.bytes;
      this.#waiting.shift();
    }
    return undefined;
  }

  /** Notes that the server has stored an entry and all before it. */
  async acknowledge(number: number): Promise<void> {
    this.#waiting = this.#waiting.filter((one) => one.number > number);
    // Not durable: after a crash it is sent again with the same key, and the server does not store it again.
    await this.#save({ acknowledged: Math.max(number, this.#state.acknowledged) });
    await this.#removeFinished();
  }

  async close(): Promise<void> {
    for (const { segment } of this.#parts) await segment.close();
  }

  async #load(): Promise<void> {
    const { directory } = this.#options;
    const firsts = (await readdir(directory)).flatMap((file) => Segment.firstOf(file) ?? []);
    this.#lastNumber = this.#state.acknowledged;
    for (const first of firsts.sort((one, other) => one - other)) {
      const { segment, frames, damagedBytes } = await Segment.open(directory, first);
      const part = { segment, hour: 0, number: first };
      this.#parts.push(part);
      this.#damagedBytes += damagedBytes;
      this.#lastNumber = Math.max(this.#lastNumber, first);
      for (const { payload, ...place } of frames) {
        const entry = decodeEntry(payload, maxEntryBytes);
        if (entry) this.#add(entry, part, place);
        else this.#damagedBytes += place.bytes;
      }
    }
  }

  #add({ number, source, cursor, hour, batches, digests }: Entry, part: Part, place: FramePlace): void {
    this.#lastNumber = Math.max(number, this.#lastNumber);
    this.#lastHour = Math.max(hour, this.#lastHour);
    part.hour = Math.max(hour, part.hour);
    part.number = Math.max(number, part.number);
    if (cursor !== undefined) this.#cursors.set(source, cursor);
    for (const [path, bytes] of digests) this.memory.remember(hour, path, bytes);
    if (number > this.#state.acknowledged && batches.length > 0) this.#waiting.push({ number, part, place });
  }

  /** The last part, or a new one if that is full or of an earlier hour. A new one begins with all cursors. */
  async #partFor({ number, hour }: Entry): Promise<Part> {
    const last = this.#parts.at(-1);
    if (last && last.segment.bytes < segmentBytes && hour <= last.hour) return last;
    const part = { segment: Segment.create(this.#options.directory, number), hour, number };
    for (const [source, cursor] of this.#cursors) {
      const carried: Entry = { number, source, cursor, hour, batches: [], digests: new Map() };
      await part.segment.append(encodeEntry(carried));
    }
    this.#parts.push(part);
    return part;
  }

  /** Drops the oldest parts: what is newer tells more about the host. */
  async #makeSpace(bytes: number): Promise<void> {
    const size = () => this.#parts.reduce((sum, { segment }) => sum + segment.bytes, bytes);
    while (size() > this.#options.maxBytes) {
      const oldest = this.#parts.shift();
      if (!oldest) return;
      const isKept = ({ part }: Waiting) => part !== oldest;
      const lost = this.#waiting.filter((one) => !isKept(one)).length;
      this.#waiting = this.#waiting.filter(isKept);
      // Noted first: the number of an entry is never used again.
      const acknowledged = Math.max(oldest.number, this.#state.acknowledged);
      await this.#save({ acknowledged, lost: this.#state.lost + lost });
      await oldest.segment.remove();
    }
  }

  /** What is reported in the current hour and the cursors are needed after a start. */
  async #removeFinished(): Promise<void> {
    for (let oldest = this.#parts[0]; oldest; oldest = this.#parts[0]) {
      const isNeeded = oldest.hour >= this.#lastHour || this.#waiting.some(({ part }) => part === oldest);
      if (isNeeded || this.#parts.length === 1) return;
      this.#parts.shift();
      await oldest.segment.remove();
    }
  }

  async #save(change: Partial<State>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    const path = join(this.#options.directory, stateFile);
    await writeFile(`${path}.new`, JSON.stringify(this.#state), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

/** Undefined if there is none, or if it can not be read: then the journal gets a new id. */
async function readState(directory: string): Promise<State | undefined> {
  try {
    const { id, acknowledged, lost } = JSON.parse(await readFile(join(directory, stateFile), 'utf8'));
    const isValid =
      typeof id === 'string' && id !== '' && Number.isSafeInteger(acknowledged) && Number.isSafeInteger(lost);
    return isValid ? { id, acknowledged, lost } : undefined;
  } catch {
    return undefined;
  }
}
