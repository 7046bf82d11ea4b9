/**
 * Divides the event loop between tasks that run in slices: one slice in each iteration, round-robin by account. However many
 * tasks there are, other callbacks wait for one slice at most.
 */
export class TimeSlices {
  /** Queues by account, the most recently served account last. */
  readonly #queues = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves when the next slice of the account may run. */
  next(account: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(account);
      if (queue) queue.push(resolve);
      else this.#queues.set(account, [resolve]);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const [first] = this.#queues;
      if (!first) return;
      const [account, queue] = first;
      this.#queues.delete(account);
      queue.shift()?.();
      if (queue.length > 0) this.#queues.set(account, queue);
      if (this.#queues.size > 0) this.#schedule();
    });
  }
}
