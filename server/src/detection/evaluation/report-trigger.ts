/** Milliseconds without a batch that end a burst; also the delay after a first batch. */
const quietTime = 10_000;
/** Milliseconds; shorter sequences of batches are a single agent report, not a burst. */
const minBurst = 3_000;
/** Milliseconds between evaluations while hosts keep reporting. */
const interval = 300_000;

/**
 * Decides when new batches of host reports require an evaluation: shortly after the first one, again at the end of a
 * burst such as a backfill, and otherwise at an interval.
 */
export class ReportTrigger {
  /** Sequence number of the last batch when the last evaluation started; unknown after a restart. */
  #evaluated = -1;
  #seen = -1;
  #seenAt = -Infinity;
  #burstSince = -Infinity;
  #newSince: number | undefined;

  begin(lastBatch: number): void {
    this.#evaluated = lastBatch;
    this.#newSince = undefined;
  }

  /** Time since which an evaluation is due; undefined if none is due. `evaluatedAt` is the start of the last one. */
  dueSince(now: number, lastBatch: number, evaluatedAt: number): number | undefined {
    if (lastBatch === 0 || lastBatch === this.#evaluated) return undefined;
    this.#newSince ??= now;
    if (lastBatch !== this.#seen) {
      if (now - this.#seenAt >= quietTime) this.#burstSince = now;
      this.#seen = lastBatch;
      this.#seenAt = now;
    }
    const isBurst = this.#seenAt - this.#burstSince >= minBurst;
    const due = [
      Math.max(this.#newSince + quietTime, evaluatedAt + interval),
      ...(isBurst ? [this.#seenAt + quietTime] : []),
    ];
    const earliest = Math.min(...due);
    return earliest <= now ? earliest : undefined;
  }
}
