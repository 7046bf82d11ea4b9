import type { ServerProcess } from './server-process.ts';

/** Watches the resident memory of the server. */
export class PeakMemory {
  /** Megabytes. */
  #peak = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(server: ServerProcess) {
    this.#timer = setInterval(() => {
      this.#peak = Math.max(this.#peak, server.residentMemory());
    }, 50);
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.#peak;
  }
}
