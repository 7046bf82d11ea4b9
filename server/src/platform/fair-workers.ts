import { FairShare, type FairShareLimits } from './fair-share.ts';

export interface FairWorkersDeps<Item> {
  readonly limits: FairShareLimits;
  /** Accounts for which something is due, at most a few thousand. */
  accounts(): Promise<Iterable<string>>;
  /** Takes what is due for an account; undefined when another node was quicker. */
  take(account: string): Promise<Item | undefined>;
  work(item: Item): Promise<void>;
  /** Told of what failed while nobody waited for it. */
  failed(error: unknown): void;
}

/**
 * Does what waits in a store, a little at once: accounts take turns, and one that has something done leaves a slot to
 * the others, however long it takes.
 */
export class FairWorkers<Item> {
  readonly #deps: FairWorkersDeps<Item>;
  readonly #share: FairShare;
  readonly #running = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #again = false;
  #isStopping = false;

  constructor(deps: FairWorkersDeps<Item>) {
    this.#deps = deps;
    this.#share = new FairShare(deps.limits);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Begins what is due and may begin now, without waiting for its end. */
  look(): Promise<void> {
    this.#again = this.#looking !== undefined;
    this.#looking ??= this.#startAll();
    return this.#looking;
  }

  /** Does all that is due. */
  async drain(): Promise<void> {
    await this.look();
    await this.settled();
  }

  /** Resolves when nothing runs or is about to. */
  async settled(): Promise<void> {
    while (this.#running.size > 0 || this.#looking) {
      await this.#looking?.catch(() => undefined);
      await Promise.all(this.#running);
    }
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopping = true;
  }

  async #startAll(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.#start();
      } while (this.#again && !this.#isStopping);
    } finally {
      // In the same turn as the last check of #again: whoever looks from now on begins anew.
      this.#looking = undefined;
    }
  }

  async #start(): Promise<void> {
    const missed = new Set<string>();
    while (!this.#isStopping) {
      const due = [...(await this.#deps.accounts())].filter((account) => !missed.has(account));
      const account = this.#share.next(due);
      if (account === undefined) return;
      const item = await this.#deps.take(account);
      if (item === undefined) missed.add(account);
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
        // The slot goes to the next one at once; what fails here the next look finds again.
        if (!this.#isStopping) this.look().catch(failed);
      });
    this.#running.add(running);
  }
}
