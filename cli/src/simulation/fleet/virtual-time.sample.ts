import { setImmediate } from 'node:timers/promises';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes when all agents of a fleet wait for it. */
export class VirtualTime {
  /** Milliseconds; those who wake within them wake together, so that the server stores their batches together. */
  step = 10_000;
  readonly #sleepers = new Set<Sleeper>();
  readonly #onPass: (milliseconds: number) => void;
  #now: number;

  /** `onPass` advances other clocks. */
  constructor(start: number, onPass: (milliseconds: number) => void) {
    this.#now = start;
    this.#onPass = onPass;
  }

  readonly now = (): number => this.#now;

  readonly wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { at: this.#now + Math.ceil(milliseconds), wake };
      this.#sleepers.add(sleeper);
      if (signal.aborted) wake();
      else signal.addEventListener('abort', wake);
    });

  /**
   * Lets time pass until an instant, or until something is over. `isSettled` gets the number of sleepers: whether all that
   * can happen now has happened.
   */
  async passUntil(
    end: number,
    isSettled: (sleepers: number) => boolean,
    isOver: () => boolean = () => false,
  ): Promise<void> {
    for (;;) {
      while (!isOver() && !isSettled(this.#sleepers.size)) await setImmediate();
      if (isOver()) return;
      const next = Math.min(end, this.step + Math.min(...[...this.#sleepers].map(({ at }) => at)));
      this.#onPass(next - this.#now);
      this.#now = next;
      const due = [...this.#sleepers].filter(({ at }) => at <= next);
      if (next === end && due.length === 0) return;
      for (const { wake } of due) wake();
    }
  }
}
