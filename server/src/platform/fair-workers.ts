import { FairShare, type FairShareLimits } from './fair-share.ts';

export interface FairWorkersDeps<Item> {
  readonly limits: FairShareLimits;
  /** Accounts with due items, at most a few thousand. */
  accounts(): Promise<Iterable<string>>;
  /** Claims a due item of the account; undefined if another node claimed it first. */
  take(account: string): Promise<Item | undefined>;
  work(item: Item): Promise<void>;
  /** Receives errors of background work. */
  failed(error: unknown): void;
}

/**
 * Processes items of a store with bounded concurrency, round-robin by account. An account with running work leaves a
 * slot free for other accounts, however long its work takes.
 */
export class FairWorkers<Item> {
  readonly #deps: FairWorkersDeps<Item>;
  readonly #share: FairShare;
  readonly #running = new Set<Promise<void>>();
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  #isStopping = false;

  constructor(deps: FairWorkersDeps<Item>) {
    this.#deps = deps;
    this.#share = new FairShare(deps.limits);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Starts the due items that the limits allow, without waiting for their completion. */
  poll(): Promise<void> {
    this.#pollAgain = this.#polling !== undefined;
    this.#polling ??= this.#startAll();
    return this.#polling;
  }

  /** Processes all due items. */
  async drain(): Promise<void> {
    await this.poll();
    await this.settled();
  }

  /** Resolves when no work is running or starting. */
  async settled(): Promise<void> {
    while (this.#running.size > 0 || this.#polling) {
      await this.#polling?.catch(() => undefined);
      await Promise.all(this.#running);
    }
  }

  /** Starts no further items. */
  stop(): void {
    this.#isStopping = true;
  }

  async #startAll(): Promise<void> {
    try {
      do {
        this.#pollAgain = false;
        await this.#start();
      } while (this.#pollAgain && !this.#isStopping);
    } finally {
      // Runs synchronously after the last check of #pollAgain, so that a later poll starts a new pass.
      this.#polling = undefined;
    }
  }

  async #start(): Promise<void> {
    const claimedElsewhere = new Set<string>();
    while (!this.#isStopping) {
      const due = [...(await this.#deps.accounts())].filter((account) => !claimedElsewhere.has(account));
      const account = this.#share.next(due);
      if (account === undefined) return;
      const item = await this.#deps.take(account);
      if (item === undefined) claimedElsewhere.add(account);
      else this.#run(account, item);
    }
  }

  #run(account: string, item: Item): void {
    const { work, failed } = this.#deps;
    this.#share.take(account);
    const running = work(item)
      .catch(failed)
      .finally(() => {
        this.#running.delete(running);
        this.#share.release(account);
        // Starts the next item immediately; on failure the next poll retries.
        if (!this.#isStopping) this.poll().catch(failed);
      });
    this.#running.add(running);
  }
}
