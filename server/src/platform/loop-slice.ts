import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which the event loop is taken. */
const length = 10;

/** Divides a long loop: when a slice is over, the loop awaits the next one, and other callbacks run in between. */
export class LoopSlice {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since >= length;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
