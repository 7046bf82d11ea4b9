/** From this length on, a body takes milliseconds to read. */
const large = 64 * 1024;

/**
 * Has large bodies that have arrived together read one in each turn of the event loop: a dozen at a time would keep everything
 * else waiting for as long as all of them take.
 */
export class ParseQueue {
  readonly #waiting: (() => void)[] = [];

  inTurn(length: number, read: () => void): void {
    if (length < large) {
      read();
      return;
    }
    if (this.#waiting.push(read) === 1) setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const [read] = this.#waiting;
    try {
      read?.();
    } finally {
      this.#waiting.shift();
      if (this.#waiting.length > 0) setImmediate(this.#next);
    }
  };
}
