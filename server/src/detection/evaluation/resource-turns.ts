import type { ScheduleEntry, SchedulingInput } from './schedule-entry.ts';

/** Policies that are evaluated together: they share a transaction, and those of one kind the reading of its resources. */
const maxPolicies = 64;

/** Chooses which policies over cloud resources are evaluated next: one account after the other. */
export class ResourceTurns {
  #last = '';

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
      .slice(0, maxPolicies)
      .map(({ entry }) => entry);
  }
}

function kindOf({ resources }: ScheduleEntry): string {
  return resources?.kind ?? '';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
