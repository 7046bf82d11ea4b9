import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Refusal } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import type { Answer } from './pool-worker.ts';

export interface WorkerPoolOptions {
  /** The compiled module of the thread, which calls `serve` of pool-worker.ts. */
  readonly module: URL;
  /** What each thread gets as `workerData`, besides its own `name`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What a task is called in messages, for example `search`. */
  readonly noun: string;
  readonly threads?: number;
  /** How long a task may wait for a thread, and then run. */
  readonly seconds: number;
  /** How long an unused thread is kept: each holds its own heap. */
  readonly idleSeconds?: number;
  /** How long an aborted task may go on before its thread is terminated: a new thread costs more than the end of short work. */
  readonly graceSeconds?: number;
  /** How long terminating a thread may take: code of the engine can not be interrupted. */
  readonly stuckSeconds?: number;
  /** Called with the name of each thread that is terminated in the middle of a task, to end what it left running elsewhere. */
  readonly terminated?: (name: string) => Promise<void>;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface Thread {
  readonly name: string;
  readonly worker: Worker;
  idle?: NodeJS.Timeout;
}

const defaults = {
  ...{ threads: 2, idleSeconds: 10, graceSeconds: 0.2, stuckSeconds: 5 },
  now: () => performance.now(),
};
/** A server that is not ready gets no task that could show that its threads work again: after a while it is tried anew. */
const failureSeconds = 30;
const mostWaiting = 64;
const mostWaitingOfAccount = 16;
/** Of one thread, in megabytes: a task that needs more fails alone, not the process. */
const heap = 512;

/**
 * Runs tasks in threads, so that the event loop never waits for one. Accounts take turns. A task that overruns its time, or
 * that nobody waits for any more, loses its thread, and another thread takes the place. Threads start when they are needed.
 */
export class WorkerPool<Order, Result> {
  readonly #options: WorkerPoolOptions & typeof defaults;
  readonly #queue: FairQueue;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  /** Threads that are being terminated, with the time since when, in milliseconds. */
  readonly #ending = new Map<Thread, number>();
  /** When threads failed by themselves since one last gave a result, the latest ones. */
  #failures: number[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { ...defaults, ...options };
    const { noun, seconds, threads } = this.#options;
    this.#queue = new FairQueue({
      ...{ noun, seconds, concurrency: threads },
      waiting: mostWaiting,
      waitingPerAccount: mostWaitingOfAccount,
    });
  }

  /** Threads that there are now, running, idle or about to end. */
  get threads(): number {
    return this.#all.size;
  }

  get running(): number {
    return this.#queue.running;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Why no task can be run now, or undefined. */
  get fault(): string | undefined {
    const { noun, threads, stuckSeconds } = this.#options;
    const now = this.#options.now();
    const latest = now - stuckSeconds * 1_000;
    const stuck = [...this.#ending.values()].filter((since) => since <= latest);
    if (stuck.length >= threads) return `Every ${noun} thread overran its time and can not be stopped.`;
    const failures = this.#failures.filter((since) => since > now - failureSeconds * 1_000);
    return failures.length >= threads ? `The ${noun} threads fail.` : undefined;
  }

  /** The slot stays taken until the thread is free or gone; the caller is answered before that. */
  run(account: string, order: Order, abandoned?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task = (signal: AbortSignal) => this.#runIn(order, signal, resolve, reject);
      this.#queue.run(account, task, abandoned).catch(reject);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  async #runIn(
    order: Order,
    signal: AbortSignal,
    resolve: (result: Result) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    if (this.#isClosed) throw interrupted(this.#options.noun);
    const thread = this.#idle.pop() ?? this.#start();
    clearTimeout(thread.idle);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    try {
      const answer = await this.#ask(thread, order, signal);
      if ('failure' in answer) reject(failureOf(answer));
      else resolve(answer.result as Result);
      this.#failures = [];
    } catch (error) {
      reject(error);
      await this.#end(thread);
      return;
    }
    this.#keep(thread);
  }

  /** Rejects when the thread is of no more use. */
  #ask(thread: Thread, order: Order, signal: AbortSignal): Promise<Answer> {
    const { noun, graceSeconds } = this.#options;
    const { worker } = thread;
    return new Promise<Answer>((resolve, reject) => {
      let grace: NodeJS.Timeout | undefined;
      const abort = () => {
        grace = setTimeout(() => settle(() => reject(signal.reason)), graceSeconds * 1_000);
      };
      const answered = (answer: Answer) => settle(() => resolve(answer));
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') this.#noteFailure();
        settle(() => reject(outOfMemory(error, noun)));
      };
      const exited = () => settle(() => reject(interrupted(noun)));
      const settle = (act: () => void) => {
        clearTimeout(grace);
        signal.removeEventListener('abort', abort);
        worker.off('message', answered).off('error', failed).off('exit', exited);
        act();
      };
      worker.on('message', answered).on('error', failed).on('exit', exited);
      signal.addEventListener('abort', abort);
      worker.postMessage(order);
    });
  }

  #noteFailure(): void {
    this.#failures = [...this.#failures, this.#options.now()].slice(-this.#options.threads);
  }

  #start(): Thread {
    const { module, data } = this.#options;
    const name = `vedette ${randomUUID()}`;
    const worker = new Worker(module, {
      name,
      workerData: { ...data, name },
      resourceLimits: { maxOldGenerationSizeMb: heap },
    });
    worker.unref();
    const thread: Thread = { name, worker };
    this.#all.add(thread);
    // An idle thread that fails is only forgotten; without a listener its error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#all.delete(thread);
      this.#forgetIdle(thread);
    });
    return thread;
  }

  #forgetIdle(thread: Thread): boolean {
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
    return at >= 0;
  }

  #keep(thread: Thread): void {
    if (this.#isClosed || !this.#all.has(thread)) return;
    this.#idle.push(thread);
    thread.idle = setTimeout(() => void this.#end(thread), this.#options.idleSeconds * 1_000).unref();
  }

  async #end(thread: Thread): Promise<void> {
    clearTimeout(thread.idle);
    const isIdle = this.#forgetIdle(thread);
    if (!this.#all.has(thread)) return;
    this.#ending.set(thread, this.#options.now());
    if (!isIdle) this.#options.terminated?.(thread.name).catch(() => undefined);
    await thread.worker.terminate().finally(() => this.#ending.delete(thread));
  }
}

function failureOf({ failure }: Extract<Answer, { failure: unknown }>): Error {
  const { retryAfter, problems, cause } = failure;
  if (failure.refusal)
    return Object.assign(
      new Refusal(failure.refusal, failure.message, { retryAfter, problems }),
      cause !== undefined && { cause: new Error(cause) },
    );
  return Object.assign(new Error(failure.message), failure.code !== undefined && { code: failure.code });
}

function outOfMemory(error: NodeJS.ErrnoException, noun: string): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new Refusal('RESULT_TOO_LARGE', `The ${noun} exceeds its memory limit: narrow it.`);
}

function interrupted(noun: string): Refusal {
  return new Refusal('UNAVAILABLE', `The ${noun} was interrupted: try again.`);
}
