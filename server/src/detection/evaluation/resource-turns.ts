import { BatchSize } from './batch-size.ts';
import type { ScheduleEntry, SchedulingInput } from './schedule-entry.ts';

/** Chooses which policies over cloud resources are evaluated next: one account after the other. */
export class ResourceTurns {
  #last = '';
  readonly #sizes = new Map<string, BatchSize>();

  /** The due policies of the next account; empty if none is due. */
  next(entries: readonly ScheduleEntry[], input: SchedulingInput): ScheduleEntry[] {
    const due = entries.flatMap((entry) => {
      const since = entry.isOverResources ? entry.dueSince(input) : undefined;
      return since === undefined ? [] : [{ entry, since, account: entry.task.ownerId }];
    });
    const accounts = [...new Set(due.map(({ account }) => account))].sort();
    const account = accounts.find((name) => name > this.#last) ?? accounts[0];
    if (account === undefined) return [];
    this.#last = account;
    return due
      .filter((one) => one.account === account)
      .sort((one, other) => one.since - other.since || compare(kindOf(one.entry), kindOf(other.entry)))
      .slice(0, this.#sizeOf(account).current)
      .map(({ entry }) => entry);
  }

  /** Takes the duration of a batch into account, of which so many policies had to be evaluated. */
  note([first]: readonly ScheduleEntry[], evaluated: number, milliseconds: number): void {
    if (first) this.#sizeOf(first.task.ownerId).note(evaluated, milliseconds);
  }

  #sizeOf(account: string): BatchSize {
    const size = this.#sizes.get(account) ?? new BatchSize();
    this.#sizes.set(account, size);
    return size;
  }
}

function kindOf({ resources }: ScheduleEntry): string {
  return resources?.kind ?? '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
