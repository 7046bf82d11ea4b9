/** A large account takes hours, because its calls are limited; parts of a snapshot are kept for a day. */
const longest = 12 * 3_600_000;

/** Aborts a reading that stalls, or never ends. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #stall: NodeJS.Timeout;
  readonly #end: NodeJS.Timeout;

  /** `stall` is the time without progress, in milliseconds. */
  constructor(stall: number) {
    const abort = (reason: string) => () => this.#controller.abort(new Error(reason));
    this.#stall = setTimeout(abort(`nothing was read for ${stall / 60_000} minutes`), stall);
    this.#end = setTimeout(abort(`it took longer than ${longest / 3_600_000} hours`), longest);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it aborted; undefined before. */
  get reason(): string | undefined {
    const { aborted, reason } = this.#controller.signal;
    return aborted ? (reason as Error).message : undefined;
  }

  progress(): void {
    this.#stall.refresh();
  }

  clear(): void {
    clearTimeout(this.#stall);
    clearTimeout(this.#end);
  }
}
