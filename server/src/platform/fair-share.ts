export interface FairShareLimits {
  /** Units, such as slots or bytes, shared by all accounts. */
  readonly capacity: number;
  /**
   * Units that an account which already holds some must leave free: a fixed number, or `its own`, as many as it would
   * then hold. With `its own` a single account gets at most half of the capacity, two accounts a third each, and so on.
   */
  readonly reserve: number | 'its own';
}

/** Maximum number of accounts whose last grant is remembered; older grants count as none. */
const maxRemembered = 10_000;

/**
 * Divides a capacity among accounts: an account that holds nothing may take all free units, any other must leave the
 * reserve.
 */
export class FairShare {
  readonly #limits: FairShareLimits;
  readonly #held = new Map<string, number>();
  /** Sequence number of each account's last grant, in ascending order. */
  readonly #lastGrants = new Map<string, number>();
  #sequence = 0;
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
    this.#lastGrants.delete(account);
    this.#lastGrants.set(account, ++this.#sequence);
    const [oldest] = this.#lastGrants.keys();
    if (this.#lastGrants.size > maxRemembered && oldest !== undefined) this.#lastGrants.delete(oldest);
  }

  release(account: string, units = 1): void {
    this.#used -= units;
    const remaining = this.heldBy(account) - units;
    if (remaining > 0) this.#held.set(account, remaining);
    else this.#held.delete(account);
  }

  /** The account that holds least among those that may take a unit; ties go to the first in the iteration order. */
  least(accounts: Iterable<string>): string | undefined {
    let least: string | undefined;
    for (const account of accounts) {
      if (!this.mayTake(account)) continue;
      if (least === undefined || this.heldBy(account) < this.heldBy(least)) least = account;
    }
    return least;
  }

  /** Like `least`, but ties go to the least recently granted account, regardless of the iteration order. */
  next(accounts: Iterable<string>): string | undefined {
    return this.inTurn(accounts).find((account) => this.mayTake(account));
  }

  /** Sorted by units held, then by least recent grant. */
  inTurn(accounts: Iterable<string>): string[] {
    const lastGrant = (account: string) => this.#lastGrants.get(account) ?? 0;
    return [...accounts].sort(
      (one, other) => this.heldBy(one) - this.heldBy(other) || lastGrant(one) - lastGrant(other),
    );
  }
}
