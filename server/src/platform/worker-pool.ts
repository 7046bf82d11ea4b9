import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Refusal } from './errors.ts';
import { FairQueue } from './fair-queue.ts';
import type { WorkerReply } from './pool-worker.ts';

export interface WorkerPoolOptions {
  /** Compiled module of the worker, which calls `serve` of pool-worker.ts. */
  readonly module: URL;
  /** `workerData` of each thread, in addition to its `name`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** What a task is called in messages, for example `search`. */
  readonly noun: string;
  readonly threads?: number;
  /** Timeout of waiting for a thread, and then of running. */
  readonly seconds: number;
  /** Lifetime of an idle thread, each of which holds its own heapMegabytes. */
  readonly idleSeconds?: number;
  /** Grace period of an aborted task before its thread is terminated: a new thread costs more than finishing short work. */
  readonly graceSeconds?: number;
  /** Time after which a thread that does not terminate counts as stuck: native code cannot be interrupted. */
  readonly stuckSeconds?: number;
  /** Called with the name of each thread terminated during a task, to stop work it started elsewhere. */
  readonly terminated?: (name: string) => Promise<void>;
  /** Monotonic clock in milliseconds. */
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
/** A server that is not ready receives no tasks that could prove its threads healthy, so failures expire. */
const failureSeconds = 30;
const maxWaiting = 64;
const maxWaitingPerAccount = 16;
/** Heap limit of a thread in MB: a task that exceeds it fails without affecting the process. */
const heapMegabytes = 512;

/**
 * Runs tasks in worker threads to keep the event loop free, scheduled round-robin by account. The thread of a task that
 * is abandoned or exceeds its timeout is terminated and replaced. Threads start on demand.
 */
export class WorkerPool<Request, Result> {
  readonly #options: WorkerPoolOptions & typeof defaults;
  readonly #queue: FairQueue;
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  /** Threads being terminated, with the start of the termination in milliseconds. */
  readonly #terminating = new Map<Thread, number>();
  /** Times of the latest thread failures since the last result. */
  #failures: number[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { ...defaults, ...options };
    const { noun, seconds, threads } = this.#options;
    this.#queue = new FairQueue({
      ...{ noun, seconds, concurrency: threads },
      waiting: maxWaiting,
      waitingPerAccount: maxWaitingPerAccount,
    });
  }

  /** All threads: running, idle or terminating. */
  get threads(): number {
    return this.#all.size;
  }

  get running(): number {
    return this.#queue.running;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** The reason why no task can run now, or undefined. */
  get fault(): string | undefined {
    const { noun, threads, stuckSeconds } = this.#options;
    const now = this.#options.now();
    const latest = now - stuckSeconds * 1_000;
    const stuck = [...this.#terminating.values()].filter((since) => since <= latest);
    if (stuck.length >= threads) return `Every ${noun} thread overran its time and can not be stopped.`;
    const failures = this.#failures.filter((since) => since > now - failureSeconds * 1_000);
    return failures.length >= threads ? `The ${noun} threads fail.` : undefined;
  }

  /** The slot is held until the thread is idle or terminated; the caller gets its result earlier. */
  run(account: string, request: Request, abandoned?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task = (signal: AbortSignal) => this.#runIn(request, signal, resolve, reject);
      this.#queue.run(account, task, abandoned).catch(reject);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((thread) => this.#terminate(thread)));
  }

  async #runIn(
    request: Request,
    signal: AbortSignal,
    resolve: (result: Result) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    if (this.#isClosed) throw interrupted(this.#options.noun);
    const thread = this.#idle.pop() ?? this.#start();
    clearTimeout(thread.idle);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    try {
      const reply = await this.#request(thread, request, signal);
      if ('failure' in reply) reject(failureOf(reply));
      else resolve(reply.result as Result);
      this.#failures = [];
    } catch (error) {
      reject(error);
      await this.#terminate(thread);
      return;
    }
    this.#release(thread);
  }

  /** Rejects if the thread must be terminated. */
  #request(thread: Thread, request: Request, signal: AbortSignal): Promise<WorkerReply> {
    const { noun, graceSeconds } = this.#options;
    const { worker } = thread;
    return new Promise<WorkerReply>((resolve, reject) => {
      let grace: NodeJS.Timeout | undefined;
      const abort = () => {
        grace = setTimeout(() => settle(() => reject(signal.reason)), graceSeconds * 1_000);
      };
      const replied = (reply: WorkerReply) => settle(() => resolve(reply));
      const failed = (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') this.#recordFailure();
        settle(() => reject(outOfMemory(error, noun)));
      };
      const exited = () => settle(() => reject(interrupted(noun)));
      const settle = (complete: () => void) => {
        clearTimeout(grace);
        signal.removeEventListener('abort', abort);
        worker.off('message', replied).off('error', failed).off('exit', exited);
        complete();
      };
      worker.on('message', replied).on('error', failed).on('exit', exited);
      signal.addEventListener('abort', abort);
      worker.postMessage(request);
    });
  }

  #recordFailure(): void {
    this.#failures = [...this.#failures, this.#options.now()].slice(-this.#options.threads);
  }

  #start(): Thread {
    const { module, data } = this.#options;
    const name = `vedette ${randomUUID()}`;
    const worker = new Worker(module, {
      name,
      workerData: { ...data, name },
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    worker.unref();
    const thread: Thread = { name, worker };
    this.#all.add(thread);
    // A failed idle thread is only removed; without a listener its error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#all.delete(thread);
      this.#removeIdle(thread);
    });
    return thread;
  }

  #removeIdle(thread: Thread): boolean {
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
    return at >= 0;
  }

  #release(thread: Thread): void {
    if (this.#isClosed || !this.#all.has(thread)) return;
    this.#idle.push(thread);
    thread.idle = setTimeout(() => void this.#terminate(thread), this.#options.idleSeconds * 1_000).unref();
  }

  async #terminate(thread: Thread): Promise<void> {
    clearTimeout(thread.idle);
    const isIdle = this.#removeIdle(thread);
    if (!this.#all.has(thread)) return;
    this.#terminating.set(thread, this.#options.now());
    if (!isIdle) this.#options.terminated?.(thread.name).catch(() => undefined);
    await thread.worker.terminate().finally(() => this.#terminating.delete(thread));
  }
}

function failureOf({ failure }: Extract<WorkerReply, { failure: unknown }>): Error {
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
