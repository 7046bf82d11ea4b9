/** Milliseconds without a batch after which a burst is over, and those that a first batch is given to be followed by others. */
const quiet = 10_000;
/** Batches that come for less are one report of an agent, not a burst. */
const shortestBurst = 3_000;
/** While hosts keep reporting, a policy over their reports is evaluated again after this time. */
const interval = 300_000;

/**
 * Decides when new batches make an evaluation of a policy over what hosts report necessary: shortly after the first one,
 * once more when a burst such as a backfill is over, and otherwise every few minutes.
 */
export class ReportWatch {
  /** Sequence number of the last batch that was there when the last evaluation began; which that was before the start is unknown. */
  #evaluated = -1;
  #seen = -1;
  #seenAt = -Infinity;
  #burstSince = -Infinity;
  #newSince: number | undefined;

  begin(lastBatch: number): void {
    this.#evaluated = lastBatch;
    this.#newSince = undefined;
  }

  /** Since when an evaluation is due; undefined when none is. The last one began at `evaluatedAt`. */
  dueSince(now: number, lastBatch: number, evaluatedAt: number): number | undefined {
    if (lastBatch === 0 || lastBatch === this.#evaluated) return undefined;
    this.#newSince ??= now;
    if (lastBatch !== this.#seen) {
      if (now - this.#seenAt >= quiet) this.#burstSince = now;
      this.#seen = lastBatch;
      this.#seenAt = now;
    }
    const isBurst = this.#seenAt - this.#burstSince >= shortestBurst;
    const due = [
      Math.max(this.#newSince + quiet, evaluatedAt + interval),
      ...(isBurst ? [this.#seenAt + quiet] : []),
    ];
    const earliest = Math.min(...due);
    return earliest <= now ? earliest : undefined;
  }
}
