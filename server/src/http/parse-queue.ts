/** Parsing a body of this length takes milliseconds. */
const large = 64 * 1024;

/** Parses at most one large body per event-loop iteration, so that several of them do not block other requests. */
export class ParseQueue {
  readonly #queue: (() => void)[] = [];

  run(length: number, parse: () => void): void {
    if (length < large) {
      parse();
      return;
    }
    if (this.#queue.push(parse) === 1) setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const [parse] = this.#queue;
    try {
      parse?.();
    } finally {
      this.#queue.shift();
      if (this.#queue.length > 0) setImmediate(this.#next);
    }
  };
}
