/** A token bucket limits how often the result is computed. */
const burst = 10;
const perSecond = 2;

/**
 * An expensive result that anonymous clients may request. Concurrent callers share one computation; beyond the rate limit
 * callers get the previous result, which is then half a second old.
 */
export class ThrottledResult<Result> {
  readonly #compute: () => Promise<Result>;
  readonly #now: () => number;
  #running: Promise<Result> | undefined;
  #last: Promise<Result> | undefined;
  #tokens = burst;
  #refilledAt: number;

  /** `now` is monotonic, in milliseconds. */
  constructor(compute: () => Promise<Result>, now = () => performance.now()) {
    this.#compute = compute;
    this.#now = now;
    this.#refilledAt = now();
  }

  get(): Promise<Result> {
    if (this.#running) return this.#running;
    const now = this.#now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1_000) * perSecond);
    this.#refilledAt = now;
    if (this.#last && this.#tokens < 1) return this.#last;
    this.#tokens--;
    const done = () => {
      this.#running = undefined;
    };
    this.#running = this.#compute();
    this.#last = this.#running;
    this.#running.then(done, done);
    return this.#running;
  }
}
