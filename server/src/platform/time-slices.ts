/**
 * Divides the event loop between tasks that run in slices: one slice in each iteration, accounts in turn. However many
 * tasks there are, other callbacks wait for one slice at most.
 */
export class TimeSlices {
  /** By account; the account that was served last stands last. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves when the next slice of the account may run. */
  next(account: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(account);
      if (queue) queue.push(resolve);
      else this.#waiting.set(account, [resolve]);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const [first] = this.#waiting;
      if (!first) return;
      const [account, queue] = first;
      this.#waiting.delete(account);
      queue.shift()?.();
      if (queue.length > 0) this.#waiting.set(account, queue);
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}
