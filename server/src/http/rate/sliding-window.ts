export const hour = 3_600_000;

/** Whether a request is allowed, with the values of the three RateLimit headers. */
export interface Decision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next request is allowed; 0 while requests remain. */
  readonly reset: number;
}

/**
 * A sliding window of one hour: each token returns one hour after it was taken, so that no rolling hour exceeds the limit.
 * Tokens taken in the same millisecond are stored as one timestamp and a count.
 */
export class SlidingWindow {
  #timestamps: number[] = [];
  #counts: number[] = [];
  #first = 0;
  #taken = 0;

  take(limit: number, now: number): Decision {
    // Setting the clock back must not grant more tokens.
    const instant = Math.max(now, this.#timestamps.at(-1) ?? now);
    this.#forget(instant - hour);
    const allowed = this.#taken < limit;
    if (allowed) this.#add(instant);
    const remaining = Math.max(0, limit - this.#taken);
    const oldest = this.#timestamps[this.#first] ?? instant;
    const reset = remaining > 0 ? 0 : Math.max(1, Math.ceil((oldest + hour - instant) / 1000));
    return { allowed, limit, remaining, reset };
  }

  isIdle(now: number): boolean {
    return (this.#timestamps.at(-1) ?? 0) <= now - hour;
  }

  #add(instant: number): void {
    const last = this.#timestamps.length - 1;
    this.#taken++;
    if (this.#timestamps[last] === instant) {
      this.#counts[last] = (this.#counts[last] as number) + 1;
    } else {
      this.#timestamps.push(instant);
      this.#counts.push(1);
    }
  }

  #forget(until: number): void {
    while (this.#first < this.#timestamps.length && (this.#timestamps[this.#first] as number) <= until) {
      this.#taken -= this.#counts[this.#first] as number;
      this.#first++;
    }
    if (this.#first > 1024 && this.#first * 2 > this.#timestamps.length) {
      this.#timestamps = this.#timestamps.slice(this.#first);
      this.#counts = this.#counts.slice(this.#first);
      this.#first = 0;
    }
  }
}
