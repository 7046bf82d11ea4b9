import { Refusal } from './errors.ts';
import { FairShare } from './fair-share.ts';

export interface FairQueueLimits {
  /** What a task is called in messages, for example `search`. */
  readonly noun: string;
  /** Tasks that run at once, over all accounts; of several slots one is for accounts that run nothing. */
  readonly concurrency: number;
  /** Tasks that may wait, over all accounts and of one account; left out where the callers are few. */
  readonly waiting?: number;
  readonly waitingPerAccount?: number;
  /** Tasks that gave their slot back early and still go on; any more keep their slot. */
  readonly detached?: number;
  /** How long a task may wait for a slot, and then run; left out where the signal of the caller says so. */
  readonly seconds?: number;
}

/** Work that gets a signal, aborted at its deadline or when nobody wants the result, and may give its slot back early. */
export type Task<Result> = (signal: AbortSignal, detach: () => void) => Promise<Result>;

interface Waiting {
  start(): void;
}

/**
 * Runs a bounded number of tasks at once. Accounts take turns, and an account that already runs something never takes the
 * last free slot: whatever one account asks for, another one starts at once or with the next slot that becomes free.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** By account; the account that was served last stands last. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #slots: FairShare;
  #detached = 0;
  #queued = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
    const { concurrency: capacity } = limits;
    this.#slots = new FairShare({ capacity, reserve: capacity > 1 ? 1 : 0 });
  }

  get running(): number {
    return this.#slots.used;
  }

  get waiting(): number {
    return this.#queued;
  }

  get detached(): number {
    return this.#detached;
  }

  async run<Result>(account: string, task: Task<Result>, abandoned?: AbortSignal): Promise<Result> {
    const { noun, seconds, detached: mostDetached = 0 } = this.#limits;
    if (this.#slots.mayTake(account)) this.#slots.take(account);
    else {
      const late = `The ${noun} waited more than ${seconds} seconds in the queue: try again later.`;
      await within(seconds, late, abandoned, (signal) => this.#wait(account, signal));
    }
    let isDetached = false;
    const detach = () => {
      if (isDetached || this.#detached >= mostDetached) return;
      isDetached = true;
      this.#detached++;
      this.#free(account);
    };
    try {
      const late = `The ${noun} took longer than ${seconds} seconds: narrow the time range or the filters.`;
      return await within(seconds, late, abandoned, (signal) => task(signal, detach));
    } finally {
      if (isDetached) this.#detached--;
      else this.#free(account);
    }
  }

  #free(account: string): void {
    this.#slots.release(account);
    this.#startNext();
  }

  #wait(account: string, signal: AbortSignal): Promise<void> {
    const { noun, waiting = Infinity, waitingPerAccount = Infinity } = this.#limits;
    const queue = this.#waiting.get(account) ?? [];
    if (this.#queued >= waiting || queue.length >= waitingPerAccount) {
      throw new Refusal('UNAVAILABLE', `Too many requests are waiting for a ${noun}: try again later.`);
    }
    return new Promise((resolve, reject) => {
      const entry = { start: resolve };
      this.#waiting.set(account, queue);
      queue.push(entry);
      this.#queued++;
      signal.addEventListener('abort', () => {
        this.#remove(account, entry);
        reject(signal.reason);
      });
    });
  }

  /** The other tasks of the account keep their places, and the account its turn. */
  #remove(account: string, entry: Waiting): void {
    const queue = this.#waiting.get(account);
    const at = queue?.indexOf(entry) ?? -1;
    if (!queue || at < 0) return;
    queue.splice(at, 1);
    this.#queued--;
    if (queue.length === 0) this.#waiting.delete(account);
  }

  /** The slot goes to one that waits before anyone who comes now can take it. */
  #startNext(): void {
    for (;;) {
      // Of several the account that waits longest for its turn.
      const account = this.#slots.least(this.#waiting.keys());
      if (account === undefined) return;
      const queue = this.#waiting.get(account) ?? [];
      const entry = queue.shift();
      this.#queued--;
      this.#waiting.delete(account);
      if (queue.length > 0) this.#waiting.set(account, queue);
      this.#slots.take(account);
      entry?.start();
    }
  }
}

/** Gives work a signal that aborts when the time is over, which is a refusal, or when the work is abandoned. */
async function within<Result>(
  seconds: number | undefined,
  late: string,
  abandoned: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const time = new AbortController();
  const abort = () => time.abort(new Refusal('UNAVAILABLE', late));
  const timer = seconds === undefined ? undefined : setTimeout(abort, seconds * 1_000);
  const signal = abandoned ? AbortSignal.any([abandoned, time.signal]) : time.signal;
  try {
    signal.throwIfAborted();
    return await work(signal);
  } finally {
    clearTimeout(timer);
  }
}
