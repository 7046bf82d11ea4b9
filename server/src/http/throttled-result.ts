/** How often an answer is computed at the most, whoever asks for it. */
const burst = 10;
const perSecond = 2;

/**
 * An answer that is asked for by anyone and costs something. Callers that come together share one computation; beyond the
 * rate they get the last answer again, which is then half a second old.
 */
export class ThrottledResult<Answer> {
  readonly #compute: () => Promise<Answer>;
  readonly #now: () => number;
  #running: Promise<Answer> | undefined;
  #last: Promise<Answer> | undefined;
  #tokens = burst;
  #refilledAt: number;

  /** `now` is monotonic, in milliseconds. */
  constructor(compute: () => Promise<Answer>, now = () => performance.now()) {
    this.#compute = compute;
    this.#now = now;
    this.#refilledAt = now();
  }

  get(): Promise<Answer> {
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
