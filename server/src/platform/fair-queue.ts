import { Refusal } from './errors.ts';
import { FairShare } from './fair-share.ts';

export interface FairQueueLimits {
  /** What a task is called in messages, for example `search`. */
  readonly noun: string;
  /** Maximum number of running tasks; if it is above 1, one slot is reserved for accounts that run nothing. */
  readonly concurrency: number;
  /** Maximum number of queued tasks, in total and per account; unlimited if absent. */
  readonly waiting?: number;
  readonly waitingPerAccount?: number;
  /** Maximum number of detached tasks, which released their slot early but still run; further ones keep their slot. */
  readonly detached?: number;
  /** Timeout of waiting in the queue, and then of running; absent if the caller's signal sets the deadline. */
  readonly seconds?: number;
}

/** The signal aborts at the deadline or when the caller gives up; `detach` releases the slot early. */
export type Task<Result> = (signal: AbortSignal, detach: () => void) => Promise<Result>;

interface QueuedTask {
  start(): void;
}

/**
 * Runs a bounded number of tasks concurrently, scheduled round-robin by account. An account with a running task never
 * takes the last free slot, so that another account starts immediately or with the next released slot.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Queues by account, the most recently served account last. */
  readonly #waiting = new Map<string, QueuedTask[]>();
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
    const { noun, seconds, detached: maxDetached = 0 } = this.#limits;
    if (this.#slots.mayTake(account)) this.#slots.take(account);
    else {
      const timeoutMessage = `The ${noun} waited more than ${seconds} seconds in the queue: try again later.`;
      await within(seconds, timeoutMessage, abandoned, (signal) => this.#enqueue(account, signal));
    }
    let isDetached = false;
    const detach = () => {
      if (isDetached || this.#detached >= maxDetached) return;
      isDetached = true;
      this.#detached++;
      this.#releaseSlot(account);
    };
    try {
      const timeoutMessage = `The ${noun} took longer than ${seconds} seconds: narrow the time range or the filters.`;
      return await within(seconds, timeoutMessage, abandoned, (signal) => task(signal, detach));
    } finally {
      if (isDetached) this.#detached--;
      else this.#releaseSlot(account);
    }
  }

  #releaseSlot(account: string): void {
    this.#slots.release(account);
    this.#startNext();
  }

  #enqueue(account: string, signal: AbortSignal): Promise<void> {
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

  /** Keeps the position of the account and of its other tasks. */
  #remove(account: string, entry: QueuedTask): void {
    const queue = this.#waiting.get(account);
    const at = queue?.indexOf(entry) ?? -1;
    if (!queue || at < 0) return;
    queue.splice(at, 1);
    this.#queued--;
    if (queue.length === 0) this.#waiting.delete(account);
  }

  /** Runs synchronously on release, so that queued tasks precede new callers. */
  #startNext(): void {
    for (;;) {
      // Ties go to the account that has waited longest.
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

/** Runs work with a signal that aborts at the timeout, with a refusal, or when the caller gives up. */
async function within<Result>(
  seconds: number | undefined,
  timeoutMessage: string,
  abandoned: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController();
  const abort = () => timeout.abort(new Refusal('UNAVAILABLE', timeoutMessage));
  const timer = seconds === undefined ? undefined : setTimeout(abort, seconds * 1_000);
  const signal = abandoned ? AbortSignal.any([abandoned, timeout.signal]) : timeout.signal;
  try {
    signal.throwIfAborted();
    return await work(signal);
  } finally {
    clearTimeout(timer);
  }
}
