import { Refusal } from '../platform/errors.ts';

/** Lets work in while it is open. While it is shut newcomers are turned away, and whoever shut it has it all alone. */
export class MaintenanceLock {
  readonly #reason: string;
  readonly #inside = new Set<Promise<unknown>>();
  #shutters = 0;

  /** What those who are turned away are told. */
  constructor(reason: string) {
    this.#reason = reason;
  }

  get isShut(): boolean {
    return this.#shutters > 0;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isShut) throw new Refusal('UNAVAILABLE', this.#reason, { retryAfter: 5 });
    const running = work();
    this.#inside.add(running);
    try {
      return await running;
    } finally {
      this.#inside.delete(running);
    }
  }

  /** Begins when everyone is out. */
  async shutDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#shutters++;
    try {
      await Promise.allSettled(this.#inside);
      return await work();
    } finally {
      this.#shutters--;
    }
  }
}
