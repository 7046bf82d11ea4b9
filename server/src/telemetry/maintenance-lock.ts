import { Refusal } from '../platform/errors.ts';

/** A read-write lock without waiting readers: shared work is refused while exclusive work runs or waits. */
export class MaintenanceLock {
  readonly #reason: string;
  readonly #shared = new Set<Promise<unknown>>();
  #exclusive = 0;

  /** The message for refused work. */
  constructor(reason: string) {
    this.#reason = reason;
  }

  get isExclusive(): boolean {
    return this.#exclusive > 0;
  }

  async runShared<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isExclusive) throw new Refusal('UNAVAILABLE', this.#reason, { retryAfter: 5 });
    const running = work();
    this.#shared.add(running);
    try {
      return await running;
    } finally {
      this.#shared.delete(running);
    }
  }

  /** Starts when all shared work has ended. */
  async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#exclusive++;
    try {
      await Promise.allSettled(this.#shared);
      return await work();
    } finally {
      this.#exclusive--;
    }
  }
}
