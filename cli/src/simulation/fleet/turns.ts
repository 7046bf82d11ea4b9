import { setImmediate } from 'node:timers/promises';

/** Lets the answers of the server in between two agents: they do nothing that waits, and would run one after the other. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
