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
  /** Measures the file system that the segments lie in. */
  readonly space: () => Promise<Space>;
}

/** What stays free for searches and for other programs beside the service. */
const mostReserved = 256e6;
const reservedShare = 0.05;
/** What is left of it while a checkpoint takes its part. */
const leastReserved = 16e6;
/** How long a measurement holds, in milliseconds. */
const measurementAge = 1_000;

/**
 * The disk that nothing is taken in on: a share of the file system, or more where the next checkpoint may need more. A
 * write-ahead log is on the disk twice while the file takes it up, and so are row groups that are not full.
 */
export class Reserve {
  readonly #deps: ReserveDeps;
  #measured: { readonly at: number; readonly size: number; free: number; spent: number } | undefined;
  /** By name of the segment: what was measured, and of which state of its file. */
  readonly #growth = new Map<string, { readonly changed: number; readonly bytes: number }>();

  constructor(deps: ReserveDeps) {
    this.#deps = deps;
  }

  /** As it would be after so many bytes more were logged; what is owed to others has to be free as well. */
  async measure(more = 0, owed = 0): Promise<FreeSpace> {
    const { free, size, spent } = await this.#space();
    const usual = Math.min(mostReserved, size * reservedShare);
    const least = Math.min(usual, leastReserved);
    const checkpoint = await this.#checkpoint(more, free - owed - least - more);
    const reserved = owed + Math.max(usual, least + more + checkpoint);
    if (free >= reserved || spent === 0) return { free, reserved };
    // What was spent is an upper bound: before anything is refused, the disk itself is asked.
    this.forget();
    return { free: (await this.#space()).free, reserved };
  }

  /** Whether the segment can take up its log now without touching what others need. */
  async allowsCheckpoint(segment: Segment): Promise<boolean> {
    const { free, size } = await this.#space();
    const left = free - Math.min(size * reservedShare, leastReserved);
    return (await this.#checkpointOf(segment, this.#deps.segments.sizeOf(segment), 0, left)) <= left;
  }

  /** Less than this is not worth a checkpoint, which takes up to seconds. */
  async leastCheckpoint(): Promise<number> {
    return Math.min(leastReserved, (await this.#space()).size * 0.02);
  }

  /** So much is going to be written, which the last measurement does not know. */
  spend(bytes: number): void {
    if (!this.#measured) return;
    this.#measured.free -= bytes;
    this.#measured.spent += bytes;
  }

  forget(): void {
    this.#measured = undefined;
  }

  /** Bytes that the largest checkpoint may need. Today's takes in so many more. */
  async #checkpoint(more: number, left: number): Promise<number> {
    const { segments, sizes } = this.#deps;
    const all = segments.all();
    let most = 0;
    for (const [at, size] of sizes.all().entries()) {
      const segment = all[at] as Segment;
      const added = segment === all.at(-1) ? more : 0;
      if (size.log + added > 0) most = Math.max(most, await this.#checkpointOf(segment, size, added, left));
    }
    return most;
  }

  async #checkpointOf(segment: Segment, { file, log }: Size, added: number, left: number): Promise<number> {
    if (log + added === 0) return 0;
    // It can not be more than this, and where there is room for it nothing has to be measured.
    if (log + added + file + checkpointSlack <= left) return log + added;
    return Math.max(0, log + added + (await this.#growthOf(segment)));
  }

  async #growthOf(segment: Segment): Promise<number> {
    const { segments } = this.#deps;
    const changed = statSync(segments.pathOf(segment), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const known = this.#growth.get(segment.name);
    if (known?.changed === changed) return known.bytes;
    const bytes = await segments.checkpointGrowth(segment).catch(() => undefined);
    // The engine gave the file up: until it is read anew, all of it may have to be written.
    if (bytes === undefined) return segments.sizeOf(segment).file + checkpointSlack;
    if (this.#growth.size > segments.all().length) this.#growth.clear();
    this.#growth.set(segment.name, { changed, bytes });
    return bytes;
  }

  async #space() {
    const now = this.#deps.clock.now();
    if (!this.#measured || Math.abs(now - this.#measured.at) >= measurementAge)
      this.#measured = { at: now, ...(await this.#deps.space()), spent: 0 };
    return this.#measured;
  }
}
