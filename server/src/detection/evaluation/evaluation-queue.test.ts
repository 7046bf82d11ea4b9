import { describe, expect, test } from 'vitest';
import { EvaluationQueue, type LeasedEntry } from './evaluation-queue.ts';
import type { ScheduleEntry, SchedulingInput } from './schedule-entry.ts';

const circumstances = {} as SchedulingInput;
const wanting = (account: string, kind: 'stream' | 'state', since = 0, failures = 0) =>
  ({
    ...{ task: { ownerId: account }, isStream: kind === 'stream', lastSeconds: 0, row: { failures } },
    dueSince: () => since,
  }) as unknown as ScheduleEntry;
const many = (account: string, kind: 'stream' | 'state', count: number, failures = 0) =>
  Array.from({ length: count }, (_, at) => wanting(account, kind, at, failures));

/** Policies that are due until evaluated, leased and run like in the scheduler. */
class Site {
  readonly turns = new EvaluationQueue();
  readonly running: LeasedEntry[] = [];
  readonly begun: string[] = [];
  entries: ScheduleEntry[];

  constructor(entries: ScheduleEntry[]) {
    this.entries = entries;
    this.start();
  }

  start(): void {
    for (let leased = this.turns.take(); leased; leased = this.turns.take()) {
      this.running.push(leased);
      this.begun.push(leased.entry.task.ownerId);
    }
    const wanted = this.turns.nextToLease(this.entries, circumstances);
    this.entries = this.entries.filter((entry) => !wanted.includes(entry));
    for (const entry of wanted) this.turns.add({ entry, lease: {} as never });
    if (wanted.length > 0) this.start();
  }

  /** Finishes the longest-running evaluation of the account, or of any account. */
  end(account?: string): void {
    const at = this.running.findIndex(({ entry }) => account === undefined || entry.task.ownerId === account);
    for (const leased of this.running.splice(at, 1)) this.turns.release(leased);
    this.start();
  }
}

describe('the evaluation queue', () => {
  test('runs three evaluations of a single account concurrently, two of them states', () => {
    expect(new Site(many('a', 'stream', 30)).running).toHaveLength(3);
    expect(new Site(many('a', 'state', 30)).running).toHaveLength(2);
  });

  test.each(['stream', 'state'] as const)(
    'starts an evaluation of another account immediately: %s',
    (kind) => {
      const site = new Site([...many('greedy', 'state', 30), ...many('greedy', 'stream', 30)]);
      site.entries.push(wanting('modest', kind, 1_000));
      site.start();
      expect(site.begun.filter((account) => account === 'modest')).toEqual(['modest']);
    },
  );

  test('starts an evaluation of any account within as many rounds as there are accounts', () => {
    const greedy = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => many(name, 'state', 30));
    const site = new Site(greedy);
    site.entries.push(wanting('modest', 'state', 1_000));
    let turns = 0;
    for (; !site.begun.includes('modest'); turns++) site.end();
    expect(turns).toBeLessThanOrEqual(7);
    while (site.running.length > 0) site.end();
    expect(site.begun).toHaveLength(greedy.length + 1);
  });

  test('runs expensive or failed evaluations of an account one at a time, and others beside them', () => {
    const site = new Site([...many('a', 'stream', 30, 1), ...many('a', 'state', 1)]);
    expect(site.running.map(({ entry }) => entry.row.failures)).toEqual([1, 0]);
    site.end();
    expect(site.running.map(({ entry }) => entry.row.failures)).toEqual([0, 1]);
  });

  test('starts evaluations of the same kind while expensive ones are blocked', () => {
    const site = new Site(many('a', 'state', 30, 1));
    site.entries.push(wanting('a', 'state', 1_000));
    site.start();
    expect(site.running.map(({ entry }) => entry.row.failures)).toEqual([1, 0]);
    while (site.running.length > 0) site.end();
    expect(site.begun).toHaveLength(31);
  });

  test('limits waiting leases per account, and leases one per account before a second of any', () => {
    const greedy = many('greedy', 'state', 30);
    const turns = new EvaluationQueue();
    const both = turns.nextToLease([...greedy, ...many('modest', 'state', 2)], circumstances);
    expect(both.map(({ task }) => task.ownerId).slice(0, 4)).toEqual([
      'greedy',
      'modest',
      'greedy',
      'modest',
    ]);
    expect(both).toHaveLength(8);
    for (const entry of both) turns.add({ entry, lease: {} as never });
    expect(turns.nextToLease(greedy, circumstances)).toEqual([]);
    expect(turns.clear()).toHaveLength(8);
    expect(turns.take()).toBeUndefined();
  });
});
