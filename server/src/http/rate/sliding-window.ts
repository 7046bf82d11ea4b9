export const hour = 3_600_000;

/** The answer to one request for a token, in the words of the three RateLimit headers. */
export interface Decision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until a request can be made again; 0 while one can be made now. */
  readonly reset: number;
}

/**
 * A bucket whose tokens return one hour after they were taken, so that no hour ever sees more than the limit. Tokens
 * taken in the same millisecond are kept as one moment and a count.
 */
export class SlidingWindow {
  #times: number[] = [];
  #counts: number[] = [];
  #first = 0;
  #taken = 0;

  take(limit: number, now: number): Decision {
    // A clock that is set back must not let anyone take more.
    const instant = Math.max(now, this.#times.at(-1) ?? now);
    this.#forget(instant - hour);
    const allowed = this.#taken < limit;
    if (allowed) this.#add(instant);
    const remaining = Math.max(0, limit - this.#taken);
    const oldest = this.#times[this.#first] ?? instant;
    const reset = remaining > 0 ? 0 : Math.max(1, Math.ceil((oldest + hour - instant) / 1000));
    return { allowed, limit, remaining, reset };
  }

  isIdle(now: number): boolean {
    return (this.#times.at(-1) ?? 0) <= now - hour;
  }

  #add(instant: number): void {
    const last = this.#times.length - 1;
    this.#taken++;
    if (this.#times[last] === instant) {
      this.#counts[last] = (this.#counts[last] as number) + 1;
    } else {
      this.#times.push(instant);
      this.#counts.push(1);
    }
  }

  #forget(until: number): void {
    while (this.#first < this.#times.length && (this.#times[this.#first] as number) <= until) {
      this.#taken -= this.#counts[this.#first] as number;
      this.#first++;
    }
    if (this.#first > 1024 && this.#first * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#first);
      this.#counts = this.#counts.slice(this.#first);
      this.#first = 0;
    }
  }
}
