import { FairShare } from '../../platform/fair-share.ts';
import type { Lease } from './evaluations.ts';
import type { ScheduleEntry, SchedulingInput } from './schedule-entry.ts';

/** An entry with the lease for its evaluation. */
export interface LeasedEntry {
  readonly entry: ScheduleEntry;
  readonly lease: Lease;
}

/**
 * Concurrent evaluations: while the engine executes one query, other results are read or written. A single account runs
 * at most three, two of them states, which may take long and must not delay streams. One slot of each kind is reserved
 * for accounts without a running evaluation of that kind.
 */
const runningLimit = { capacity: 4, reserve: 1 };
const stateLimit = { capacity: 3, reserve: 1 };
/** Seconds; evaluations that took longer the last time run one at a time per account. */
const expensiveSeconds = 10;
/** Leases per transaction, which is also the maximum per account, and leases waiting for a slot. */
const leaseBatch = 8;
const maxReady = 32;

/** Selects the next evaluation fairly across accounts; no account can take all slots or leases. */
export class EvaluationQueue {
  readonly #running = new FairShare(runningLimit);
  readonly #states = new FairShare(stateLimit);
  /** Running expensive evaluations, by account. */
  readonly #expensive = new Map<string, LeasedEntry>();
  readonly #taken = new Map<LeasedEntry, { readonly isState: boolean }>();
  /** Leased evaluations that wait for a slot, by account. */
  readonly #ready = new Map<string, LeasedEntry[]>();

  get gauges(): { readonly running: number; readonly waiting: number } {
    const waiting = [...this.#ready.values()].reduce((sum, { length }) => sum + length, 0);
    return { running: this.#running.used, waiting };
  }

  add(leased: LeasedEntry): void {
    const account = accountOf(leased.entry);
    this.#ready.set(account, [...(this.#ready.get(account) ?? []), leased]);
  }

  /** Takes the next runnable evaluation and its slot. */
  take(): LeasedEntry | undefined {
    const runnable = [...this.#ready].filter(([, all]) => all.some((leased) => this.#mayRun(leased)));
    const account = this.#running.next(runnable.map(([name]) => name));
    const all = account === undefined ? undefined : this.#ready.get(account);
    if (account === undefined || !all) return undefined;
    const next = all.find((leased) => this.#mayRun(leased)) as LeasedEntry;
    const remaining = all.filter((leased) => leased !== next);
    if (remaining.length > 0) this.#ready.set(account, remaining);
    else this.#ready.delete(account);
    this.#running.take(account);
    if (!next.entry.isStream) this.#states.take(account);
    if (isExpensive(next)) this.#expensive.set(account, next);
    this.#taken.set(next, { isState: !next.entry.isStream });
    return next;
  }

  release(leased: LeasedEntry): void {
    const account = accountOf(leased.entry);
    this.#running.release(account);
    // The kind at the start: the query of the policy may have changed since.
    if (this.#taken.get(leased)?.isState) this.#states.release(account);
    if (this.#expensive.get(account) === leased) this.#expensive.delete(account);
    this.#taken.delete(leased);
  }

  /**
   * Entries to lease next, one per account before a second of any. Within an account, streams come first, then the
   * longest wait, with at least one state even under continuous arrivals. A kind with a waiting lease is skipped.
   */
  nextToLease(entries: readonly ScheduleEntry[], circumstances: SchedulingInput): ScheduleEntry[] {
    const dueByAccount = new Map(
      [...this.#due(entries, circumstances)].map(([account, due]) => [account, ordered(due)]),
    );
    const limit = Math.min(leaseBatch, maxReady - this.gauges.waiting);
    const wanted: ScheduleEntry[] = [];
    for (let round = 0; wanted.length < limit && dueByAccount.size > 0; round++) {
      for (const account of this.#running.inTurn(dueByAccount.keys())) {
        const entry = dueByAccount.get(account)?.[round];
        if (entry) wanted.push(entry);
        else dueByAccount.delete(account);
      }
    }
    return wanted.slice(0, limit);
  }

  /** Removes and returns all waiting evaluations. */
  clear(): LeasedEntry[] {
    const all = [...this.#ready.values()].flat();
    this.#ready.clear();
    return all;
  }

  #due(entries: readonly ScheduleEntry[], circumstances: SchedulingInput): Map<string, DueEntry[]> {
    const due = new Map<string, DueEntry[]>();
    for (const entry of entries) {
      const account = accountOf(entry);
      const ready = this.#ready.get(account) ?? [];
      if (ready.length >= leaseBatch || ready.some((one) => this.#hasPrecedence(one, entry))) continue;
      const since = entry.dueSince(circumstances);
      if (since === undefined) continue;
      const all = due.get(account);
      if (all) all.push({ entry, since });
      else due.set(account, [{ entry, since }]);
    }
    return due;
  }

  /** A blocked expensive evaluation only blocks other expensive ones. */
  #hasPrecedence(ready: LeasedEntry, entry: ScheduleEntry): boolean {
    if (isExpensive(ready) && isExpensive({ entry })) return true;
    const isBlocked = isExpensive(ready) && this.#expensive.has(accountOf(ready.entry));
    return !isBlocked && ready.entry.isStream === entry.isStream;
  }

  #mayRun(leased: LeasedEntry): boolean {
    const account = accountOf(leased.entry);
    if (isExpensive(leased) && this.#expensive.has(account)) return false;
    return leased.entry.isStream || this.#states.mayTake(account);
  }
}

interface DueEntry {
  readonly entry: ScheduleEntry;
  readonly since: number;
}

function ordered(due: readonly DueEntry[]): ScheduleEntry[] {
  const all = [...due].sort((one, other) => one.since - other.since).map(({ entry }) => entry);
  const expensive = all.find((entry) => isExpensive({ entry }));
  // More than one expensive entry would take leases from entries that can run beside it.
  const sorted = all.filter((entry) => entry === expensive || !isExpensive({ entry }));
  const states = sorted.filter(({ isStream }) => !isStream);
  const streams = sorted.filter(({ isStream }) => isStream);
  const maxStreams = leaseBatch - Math.min(1, states.length);
  return [...streams.slice(0, maxStreams), ...states].slice(0, leaseBatch);
}

function isExpensive({ entry }: Pick<LeasedEntry, 'entry'>): boolean {
  return entry.row.failures > 0 || entry.lastSeconds > expensiveSeconds;
}

function accountOf({ task }: ScheduleEntry): string {
  return task.ownerId;
}
