import { FairShare } from '../../platform/fair-share.ts';
import type { Circumstances, Entry } from './entry.ts';
import type { Lease } from './evaluations.ts';

/** What is about to be judged. */
export interface Leased {
  readonly entry: Entry;
  readonly lease: Lease;
}

/**
 * What is judged at once: while the engine works for one, another is read or written down. An account alone runs three
 * at the most, of which two are states, for they may take long and arrivals must not wait for them: one slot of each
 * kind is for accounts that run nothing of it.
 */
const mostRunning = { capacity: 4, reserve: 1 };
const mostStates = { capacity: 3, reserve: 1 };
/** What took longer than so many seconds the last time runs one at a time in its account. */
const expensive = 10;
/** Leases that one transaction takes, and those that wait; an account has at most the first of them. */
const leasesAtOnce = 8;
const mostReady = 32;

/** Whose policy is judged next: accounts take turns, and none gets all slots or all leases. */
export class EvaluationQueue {
  readonly #running = new FairShare(mostRunning);
  readonly #states = new FairShare(mostStates);
  /** What is expensive and runs, by account. */
  readonly #burdened = new Map<string, Leased>();
  readonly #taken = new Map<Leased, { readonly isState: boolean }>();
  /** Those that are leased and wait for a slot, by account. */
  readonly #ready = new Map<string, Leased[]>();

  get gauges(): { readonly running: number; readonly waiting: number } {
    const waiting = [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
    return { running: this.#running.used, waiting };
  }

  add(leased: Leased): void {
    const account = accountOf(leased.entry);
    this.#ready.set(account, [...(this.#ready.get(account) ?? []), leased]);
  }

  /** Takes the slot of the next one that may run. */
  take(): Leased | undefined {
    const able = [...this.#ready].filter(([, all]) => all.some((leased) => this.#mayRun(leased)));
    const account = this.#running.next(able.map(([name]) => name));
    const all = account === undefined ? undefined : this.#ready.get(account);
    if (account === undefined || !all) return undefined;
    const next = all.find((leased) => this.#mayRun(leased)) as Leased;
    const left = all.filter((leased) => leased !== next);
    if (left.length > 0) this.#ready.set(account, left);
    else this.#ready.delete(account);
    this.#running.take(account);
    if (!next.entry.isStream) this.#states.take(account);
    if (isExpensive(next)) this.#burdened.set(account, next);
    this.#taken.set(next, { isState: !next.entry.isStream });
    return next;
  }

  release(leased: Leased): void {
    const account = accountOf(leased.entry);
    this.#running.release(account);
    // What it was when it began: the policy may have another query by now.
    if (this.#taken.get(leased)?.isState) this.#states.release(account);
    if (this.#burdened.get(account) === leased) this.#burdened.delete(account);
    this.#taken.delete(leased);
  }

  /**
   * What should be leased next, one of each account before a second of any. Of an account first what arrives, then what
   * has waited longest; one state even where something arrives all the time. Nothing of a kind of which some is leased.
   */
  wanted(entries: readonly Entry[], circumstances: Circumstances): Entry[] {
    const wishes = new Map(
      [...this.#due(entries, circumstances)].map(([account, due]) => [account, ordered(due)]),
    );
    const most = Math.min(leasesAtOnce, mostReady - this.gauges.waiting);
    const wanted: Entry[] = [];
    for (let round = 0; wanted.length < most && wishes.size > 0; round++) {
      for (const account of this.#running.inTurn(wishes.keys())) {
        const entry = wishes.get(account)?.[round];
        if (entry) wanted.push(entry);
        else wishes.delete(account);
      }
    }
    return wanted.slice(0, most);
  }

  /** All that waits, which is not run any more. */
  clear(): Leased[] {
    const all = [...this.#ready.values()].flat();
    this.#ready.clear();
    return all;
  }

  #due(entries: readonly Entry[], circumstances: Circumstances): Map<string, Due[]> {
    const due = new Map<string, Due[]>();
    for (const entry of entries) {
      const account = accountOf(entry);
      const ready = this.#ready.get(account) ?? [];
      if (ready.length >= leasesAtOnce || ready.some((one) => this.#hasPrecedence(one, entry))) continue;
      const since = entry.dueSince(circumstances);
      if (since === undefined) continue;
      const all = due.get(account);
      if (all) all.push({ entry, since });
      else due.set(account, [{ entry, since }]);
    }
    return due;
  }

  /** An expensive one that waits for another holds up those that are expensive, too, and nothing else. */
  #hasPrecedence(ready: Leased, entry: Entry): boolean {
    if (isExpensive(ready) && isExpensive({ entry })) return true;
    const isBlocked = isExpensive(ready) && this.#burdened.has(accountOf(ready.entry));
    return !isBlocked && ready.entry.isStream === entry.isStream;
  }

  #mayRun(leased: Leased): boolean {
    const account = accountOf(leased.entry);
    if (isExpensive(leased) && this.#burdened.has(account)) return false;
    return leased.entry.isStream || this.#states.mayTake(account);
  }
}

interface Due {
  readonly entry: Entry;
  readonly since: number;
}

function ordered(due: readonly Due[]): Entry[] {
  const all = [...due].sort((one, other) => one.since - other.since).map(({ entry }) => entry);
  const expensive = all.find((entry) => isExpensive({ entry }));
  // More than one would keep leases from those that may run beside it.
  const sorted = all.filter((entry) => entry === expensive || !isExpensive({ entry }));
  const states = sorted.filter(({ isStream }) => !isStream);
  const streams = sorted.filter(({ isStream }) => isStream);
  const most = leasesAtOnce - Math.min(1, states.length);
  return [...streams.slice(0, most), ...states].slice(0, leasesAtOnce);
}

function isExpensive({ entry }: Pick<Leased, 'entry'>): boolean {
  return entry.row.failures > 0 || entry.lastSeconds > expensive;
}

function accountOf({ task }: Entry): string {
  return task.ownerId;
}
