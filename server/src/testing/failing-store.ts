import type { ControlStore, ControlTransaction } from '../control/store.ts';

/** A control store that fails at its nth transaction, before or right after the commit, to simulate a kill. */
export class FailingStore {
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

  /** Whether the failing transaction was reached. */
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
