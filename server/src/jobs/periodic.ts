import type { Log } from '../platform/log.ts';

/** Runs something again and again, never twice at once; a failure is logged and the next turn comes all the same. */
export class Periodic {
  readonly #name: string;
  readonly #work: () => Promise<void>;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(name: string, milliseconds: number, work: () => Promise<void>, log: Log) {
    this.#name = name;
    this.#work = work;
    this.#log = log;
    this.#timer = setInterval(() => void this.run(), milliseconds);
    this.#timer.unref();
  }

  run(): Promise<void> {
    this.#running ??= this.#work()
      .catch((error: unknown) =>
        this.#log.error({ job: this.#name, error: String(error) }, 'a periodic job failed'),
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
}
