import type { Log } from '../platform/log.ts';

/**
 * Runs a job periodically, never concurrently with itself, and continues after failures. A repeated failure is logged
 * once per reason, and again when the job succeeds.
 */
export class Periodic {
  readonly #name: string;
  readonly #work: () => Promise<void>;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  /** Error of the last run, if it failed. */
  #problem: string | undefined;

  constructor(name: string, milliseconds: number, work: () => Promise<void>, log: Log) {
    this.#name = name;
    this.#work = work;
    this.#log = log;
    this.#timer = setInterval(() => void this.run(), milliseconds);
    this.#timer.unref();
  }

  run(): Promise<void> {
    this.#running ??= this.#work()
      .then(
        () => this.#succeeded(),
        (error: unknown) => this.#failed(error),
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #succeeded(): void {
    if (this.#problem !== undefined) this.#log.info({ job: this.#name }, 'a periodic job succeeds again');
    this.#problem = undefined;
  }

  #failed(error: unknown): void {
    const problem = String(error);
    const { cause } = error as { readonly cause?: unknown };
    if (problem !== this.#problem)
      this.#log.error(
        { job: this.#name, error: problem, ...(cause !== undefined && { cause: String(cause) }) },
        'a periodic job failed',
      );
    this.#problem = problem;
  }
}
