import { Refusal } from '../platform/errors.ts';

interface Turn {
  start(): void;
}

export interface AdmissionLimits {
  readonly atOnce: number;
  readonly mostWaiting: number;
  /** Of those that give their turn away before they are done; any more keep it. */
  readonly mostOut: number;
  /** Seconds that a search may wait for its turn, and then run. */
  readonly seconds: number;
}

/** Lets few searches run at once and the others wait, each account in its turn, so that no account starves another. */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** Those that wait, by account; the account that is served goes to the end. */
  readonly #waiting = new Map<string, Turn[]>();
  #running = 0;
  #out = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  /** Those that gave their turn away and are not done yet. */
  get out(): number {
    return this.#out;
  }

  get waiting(): number {
    return [...this.#waiting.values()].flat().length;
  }

  /**
   * The work ends soon after its signal aborts: nobody waits for the answer any more, or it took too long. It may leave
   * before that, when all that is left to do is to wait for who reads the answer.
   */
  async run<Result>(
    account: string,
    work: (signal: AbortSignal, leave: () => void) => Promise<Result>,
    abandoned?: AbortSignal,
  ): Promise<Result> {
    const { atOnce, mostOut, seconds } = this.#limits;
    if (this.#running < atOnce) this.#running++;
    else {
      const late = `The search waited longer than ${seconds} seconds for its turn: try again in a moment.`;
      await within(seconds, late, abandoned, (signal) => this.#wait(account, signal));
    }
    let isOut = false;
    const leave = () => {
      if (isOut || this.#out >= mostOut) return;
      isOut = true;
      this.#out++;
      this.#passOn();
    };
    try {
      const late = `The search took longer than ${seconds} seconds: narrow the time range or the filters.`;
      return await within(seconds, late, abandoned, (signal) => work(signal, leave));
    } finally {
      if (isOut) this.#out--;
      else this.#passOn();
    }
  }

  #wait(account: string, signal: AbortSignal): Promise<void> {
    if (this.waiting >= this.#limits.mostWaiting) {
      throw new Refusal('UNAVAILABLE', 'Too many searches are waiting: try again in a moment.');
    }
    return new Promise((start, reject) => {
      const turn = { start };
      this.#waiting.set(account, [...(this.#waiting.get(account) ?? []), turn]);
      signal.addEventListener('abort', () => {
        this.#leave(account, turn);
        reject(signal.reason);
      });
    });
  }

  /** The others of the account keep their places, and the account its turn. */
  #leave(account: string, turn: Turn): void {
    const rest = (this.#waiting.get(account) ?? []).filter((other) => other !== turn);
    if (rest.length > 0) this.#waiting.set(account, rest);
    else this.#waiting.delete(account);
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
    turn?.start();
  }
}

/** Gives work a signal that aborts when the time is over, which is a refusal, or when the work is abandoned. */
async function within<Result>(
  seconds: number,
  late: string,
  abandoned: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new Refusal('UNAVAILABLE', late)), seconds * 1_000);
  const signal = abandoned ? AbortSignal.any([abandoned, time.signal]) : time.signal;
  try {
    signal.throwIfAborted();
    return await work(signal);
  } finally {
    clearTimeout(timer);
  }
}
