import type { Clock } from '../../../platform/clock.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments, Size } from '../segments/segments.ts';

/** How long the measured size of a past day is valid, in milliseconds. */
const sizesAge = 5_000;

interface MeasuredSize {
  readonly at: number;
  readonly size: Size;
}

/**
 * Sizes of all segments, read before every search and every group of batches. Only the newest is measured each
 * time: past days rarely change.
 */
export class SegmentSizes {
  readonly #segments: Segments;
  readonly #clock: Clock;
  #past = new WeakMap<Segment, MeasuredSize>();

  constructor(segments: Segments, clock: Clock) {
    this.#segments = segments;
    this.#clock = clock;
  }

  all(): Size[] {
    const newest = this.#segments.all().at(-1);
    const now = this.#clock.now();
    return this.#segments
      .all()
      .map((segment) => (segment === newest ? this.#segments.sizeOf(segment) : this.#ofPast(segment, now)));
  }

  forget(): void {
    this.#past = new WeakMap();
  }

  #ofPast(segment: Segment, now: number): Size {
    const known = this.#past.get(segment);
    if (known && Math.abs(now - known.at) < sizesAge) return known.size;
    const size = this.#segments.sizeOf(segment);
    this.#past.set(segment, { at: now, size });
    return size;
  }
}
