const width = 30;
const barPause = 100;
const linePause = 5_000;

export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Says how far the work is: a bar on a terminal, elsewhere a line every few seconds. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #start: number;
  #last: number;

  constructor(screen: Screen, now: () => number) {
    this.#screen = screen;
    this.#now = now;
    this.#start = now();
    this.#last = this.#start;
  }

  /** `share` is from 0 to 1. */
  show(share: number, records: number): void {
    const isDone = share >= 1;
    const now = this.#now();
    const pause = this.#screen.isTTY ? barPause : linePause;
    if (now - this.#last < pause && !(isDone && this.#screen.isTTY)) return;
    this.#last = now;
    const seconds = Math.max(0.001, (now - this.#start) / 1_000);
    const words = [
      `${Math.floor(share * 100)} %`,
      `${records} records`,
      `${Math.round(records / seconds)} per second`,
      ...(share > 0 && !isDone ? [`${Math.round((seconds / share) * (1 - share))} s left`] : []),
    ].join(', ');
    if (!this.#screen.isTTY) return void this.#screen.write(`${words}\n`);
    const filled = Math.round(share * width);
    // Clears what a longer line left behind.
    this.#screen.write(
      `\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${words}${isDone ? '\n' : ''}`,
    );
  }
}
