import type { ControlStore, ControlTransaction } from '../control/store.ts';

/** A control store that is cut off with its so manyth transaction, before it commits or right after, as by a kill. */
export class SeveredStore {
  readonly read: ControlStore['read'];
  readonly #store: ControlStore;
  readonly #last: number;
  readonly #isCommitted: boolean;
  #count = 0;

  constructor(store: ControlStore, last: number, isCommitted: boolean) {
    this.#store = store;
    this.read = store.read;
    this.#last = last;
    this.#isCommitted = isCommitted;
  }

  /** Whether it came to that. */
  get isReached(): boolean {
    return this.#count >= this.#last;
  }

  stamp(): undefined {
    return undefined;
  }

  async housekeeping<Result>(work: (tx: ControlTransaction) => Promise<Result>): Promise<Result> {
    const at = ++this.#count;
    if (at > this.#last || (at === this.#last && !this.#isCommitted)) throw new Error('cut off');
    const result = await this.#store.housekeeping(work);
    if (at === this.#last) throw new Error('cut off');
    return result;
  }
}
