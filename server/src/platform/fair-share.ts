export interface FairShareLimits {
  /** Units (slots, bytes) over all accounts. */
  readonly capacity: number;
  /**
   * Units that an account which already holds some leaves free for the others: a number of them, or `its own`: as many
   * as it then holds. By that rule one account gets at most half of the capacity, each of two a third, and so on.
   */
  readonly reserve: number | 'its own';
}

/** Accounts whose last turn is remembered; an older turn counts as none. */
const mostRemembered = 10_000;

/** Divides a capacity among accounts: who holds nothing may take whatever is free, and all others leave a reserve. */
export class FairShare {
  readonly #limits: FairShareLimits;
  readonly #held = new Map<string, number>();
  /** The number of the last turn of each account, in the order of turns. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #used = 0;

  constructor(limits: FairShareLimits) {
    this.#limits = limits;
  }

  get used(): number {
    return this.#used;
  }

  heldBy(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  /** Units that the account may take now. */
  roomFor(account: string): number {
    const { capacity, reserve } = this.#limits;
    const [held, free] = [this.heldBy(account), capacity - this.#used];
    if (held === 0) return Math.max(0, free);
    return Math.max(0, reserve === 'its own' ? Math.floor((free - held) / 2) : free - reserve);
  }

  mayTake(account: string, units = 1): boolean {
    return units <= this.roomFor(account);
  }

  take(account: string, units = 1): void {
    this.#used += units;
    this.#held.set(account, this.heldBy(account) + units);
    this.#turns.delete(account);
    this.#turns.set(account, ++this.#turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostRemembered && oldest !== undefined) this.#turns.delete(oldest);
  }

  release(account: string, units = 1): void {
    this.#used -= units;
    const left = this.heldBy(account) - units;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
  }

  /** Of the accounts that may take a unit the one that holds least, of several the first. */
  least(accounts: Iterable<string>): string | undefined {
    let least: string | undefined;
    for (const account of accounts) {
      if (!this.mayTake(account)) continue;
      if (least === undefined || this.heldBy(account) < this.heldBy(least)) least = account;
    }
    return least;
  }

  /** The same for accounts in any order: of several the one whose last turn is longest ago. */
  next(accounts: Iterable<string>): string | undefined {
    return this.inTurn(accounts).find((account) => this.mayTake(account));
  }

  /** First who holds least, of several first the one whose last turn is longest ago. */
  inTurn(accounts: Iterable<string>): string[] {
    const turn = (account: string) => this.#turns.get(account) ?? 0;
    return [...accounts].sort(
      (one, other) => this.heldBy(one) - this.heldBy(other) || turn(one) - turn(other),
    );
  }
}
