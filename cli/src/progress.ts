const width = 30;
const barInterval = 100;
const lineInterval = 5_000;

export interface Terminal {
  readonly isTTY?: boolean;
  write(output: string): unknown;
}

/** Prints a progress bar on a terminal, otherwise a line every few seconds. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #start: number;
  #last: number;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
    this.#start = now();
    this.#last = this.#start;
  }

  /** `share` is from 0 to 1. */
  show(share: number, records: number): void {
    const isDone = share >= 1;
    const now = this.#now();
    const interval = this.#terminal.isTTY ? barInterval : lineInterval;
    if (now - this.#last < interval && !(isDone && this.#terminal.isTTY)) return;
    this.#last = now;
    const seconds = Math.max(0.001, (now - this.#start) / 1_000);
    const words = [
      `${Math.floor(share * 100)} %`,
      `${records} records`,
      `${Math.round(records / seconds)} per second`,
      ...(share > 0 && !isDone ? [`${Math.round((seconds / share) * (1 - share))} s left`] : []),
    ].join(', ');
    if (!this.#terminal.isTTY) return void this.#terminal.write(`${words}\n`);
    const filled = Math.round(share * width);
    // Clears the rest of a longer previous line.
    this.#terminal.write(
      `\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${words}${isDone ? '\n' : ''}`,
    );
  }
}
