import { statSync } from 'node:fs';
import type { Clock } from '../../../platform/clock.ts';
import type { FreeSpace, Space } from '../../file-system.ts';
import { checkpointSlack } from '../segments/checkpoint-growth.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments, Size } from '../segments/segments.ts';
import type { SegmentSizes } from './segment-sizes.ts';

export interface ReserveDeps {
  readonly segments: Segments;
  readonly sizes: SegmentSizes;
  readonly clock: Clock;
  /** Measures the file system of the segments. */
  readonly space: () => Promise<Space>;
}

/** Reserved for searches and for other programs. */
const maxReserved = 256e6;
const reservedShare = 0.05;
/** The minimum left of the reserve during a checkpoint. */
const minReserved = 16e6;
/** How long a measurement is valid, in milliseconds. */
const measurementAge = 1_000;

/**
 * Disk space that ingest may not use: a share of the file system, or more if the next checkpoint may need it.
 * During a checkpoint the write-ahead log and the row groups that are not full are on disk twice.
 */
export class Reserve {
  readonly #deps: ReserveDeps;
  #measurement: { readonly at: number; readonly size: number; free: number; spent: number } | undefined;
  /** Measured checkpoint growth by segment name, and the modification time it applies to. */
  readonly #growth = new Map<string, { readonly changed: number; readonly bytes: number }>();

  constructor(deps: ReserveDeps) {
    this.#deps = deps;
  }

  /** The reserve after `added` bytes have been logged; `alsoReserved` has to be free in addition. */
  async measure(added = 0, alsoReserved = 0): Promise<FreeSpace> {
    const { free, size, spent } = await this.#space();
    const usual = Math.min(maxReserved, size * reservedShare);
    const minimum = Math.min(usual, minReserved);
    const checkpoint = await this.#checkpoint(added, free - alsoReserved - minimum - added);
    const reserved = alsoReserved + Math.max(usual, minimum + added + checkpoint);
    if (free >= reserved || spent === 0) return { free, reserved };
    // Spent bytes are an upper bound: measure the disk before refusing.
    this.forget();
    return { free: (await this.#space()).free, reserved };
  }

  /** Whether the segment can be checkpointed without using the minimum reserve. */
  async allowsCheckpoint(segment: Segment): Promise<boolean> {
    const { free, size } = await this.#space();
    const left = free - Math.min(size * reservedShare, minReserved);
    return (await this.#checkpointOf(segment, this.#deps.segments.sizeOf(segment), 0, left)) <= left;
  }

  /** Smaller logs are not worth a checkpoint, which may take seconds. */
  async minCheckpointSize(): Promise<number> {
    return Math.min(minReserved, (await this.#space()).size * 0.02);
  }

  /** Accounts for a coming write that the last measurement does not include. */
  spend(bytes: number): void {
    if (!this.#measurement) return;
    this.#measurement.free -= bytes;
    this.#measurement.spent += bytes;
  }

  forget(): void {
    this.#measurement = undefined;
  }

  /** Bytes that the largest checkpoint may need; the newest segment's log grows by `more`. */
  async #checkpoint(more: number, left: number): Promise<number> {
    const { segments, sizes } = this.#deps;
    const all = segments.all();
    let largest = 0;
    for (const [index, size] of sizes.all().entries()) {
      const segment = all[index] as Segment;
      const added = segment === all.at(-1) ? more : 0;
      if (size.log + added > 0)
        largest = Math.max(largest, await this.#checkpointOf(segment, size, added, left));
    }
    return largest;
  }

  async #checkpointOf(segment: Segment, { file, log }: Size, added: number, left: number): Promise<number> {
    if (log + added === 0) return 0;
    // The upper bound: if it fits, nothing has to be measured.
    if (log + added + file + checkpointSlack <= left) return log + added;
    return Math.max(0, log + added + (await this.#growthOf(segment)));
  }

  async #growthOf(segment: Segment): Promise<number> {
    const { segments } = this.#deps;
    const changed = statSync(segments.pathOf(segment), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const known = this.#growth.get(segment.name);
    if (known?.changed === changed) return known.bytes;
    const bytes = await segments.checkpointGrowth(segment).catch(() => undefined);
    // The engine has invalidated the file: until it is reattached, all of it may have to be rewritten.
    if (bytes === undefined) return segments.sizeOf(segment).file + checkpointSlack;
    if (this.#growth.size > segments.all().length) this.#growth.clear();
    this.#growth.set(segment.name, { changed, bytes });
    return bytes;
  }

  async #space() {
    const now = this.#deps.clock.now();
    if (!this.#measurement || Math.abs(now - this.#measurement.at) >= measurementAge)
      this.#measurement = { at: now, ...(await this.#deps.space()), spent: 0 };
    return this.#measurement;
  }
}
