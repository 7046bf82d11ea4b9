import { Refusal } from '../platform/errors.ts';

interface Turn {
  start(): void;
}

/** Lets few searches run at once and the others wait, each account in its turn, so that no account starves another. */
export class Admission {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** Those that wait, by account; the account that is served goes to the end. */
  readonly #waiting = new Map<string, Turn[]>();
  #running = 0;
  #waitingCount = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  async run<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#wait(account);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(account: string): Promise<void> {
    if (this.#waitingCount >= this.#mostWaiting) {
      throw new Refusal('UNAVAILABLE', 'Too many searches are waiting: try again in a moment.');
    }
    this.#waitingCount++;
    return new Promise((start) => {
      this.#waiting.set(account, [...(this.#waiting.get(account) ?? []), { start }]);
    });
  }

  /** The place goes to the next that waits, before anyone who comes now can take it. */
  #passOn(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running--;
      return;
    }
    const [account, [turn, ...rest]] = first;
    this.#waiting.delete(account);
    if (rest.length > 0) this.#waiting.set(account, rest);
    this.#waitingCount--;
    turn?.start();
  }
}
