import { describe, expect, test } from 'vitest';
import { EvaluationQueue, type LeasedEntry } from './evaluation-queue.ts';
import type { ScheduleEntry, SchedulingInput } from './schedule-entry.ts';

const input = {} as SchedulingInput;
const dueEntry = (account: string, kind: 'stream' | 'state', since = 0, failures = 0) =>
  ({
    ...{ task: { ownerId: account }, isStream: kind === 'stream', lastSeconds: 0, row: { failures } },
    dueSince: () => since,
  }) as unknown as ScheduleEntry;
const dueEntries = (account: string, kind: 'stream' | 'state', count: number, failures = 0) =>
  Array.from({ length: count }, (_, at) => dueEntry(account, kind, at, failures));

/** Policies that are due until evaluated, leased and run like in the scheduler. */
class SimulatedScheduler {
  readonly queue = new EvaluationQueue();
  readonly running: LeasedEntry[] = [];
  readonly started: string[] = [];
  entries: ScheduleEntry[];

  constructor(entries: ScheduleEntry[]) {
    this.entries = entries;
    this.start();
  }

  start(): void {
    for (let leased = this.queue.take(); leased; leased = this.queue.take()) {
      this.running.push(leased);
      this.started.push(leased.entry.task.ownerId);
    }
    const wanted = this.queue.nextToLease(this.entries, input);
    this.entries = this.entries.filter((entry) => !wanted.includes(entry));
    for (const entry of wanted) this.queue.add({ entry, lease: {} as never });
    if (wanted.length > 0) this.start();
  }

  /** Finishes the longest-running evaluation of the account, or of any account. */
  end(account?: string): void {
    const at = this.running.findIndex(({ entry }) => account === undefined || entry.task.ownerId === account);
    for (const leased of this.running.splice(at, 1)) this.queue.release(leased);
    this.start();
  }
}

describe('the evaluation queue', () => {
  test('runs three evaluations of a single account concurrently, two of them states', () => {
    expect(new SimulatedScheduler(dueEntries('a', 'stream', 30)).running).toHaveLength(3);
    expect(new SimulatedScheduler(dueEntries('a', 'state', 30)).running).toHaveLength(2);
  });

  test.each(['stream', 'state'] as const)(
    'starts an evaluation of another account immediately: %s',
    (kind) => {
      const scheduler = new SimulatedScheduler([
        ...dueEntries('greedy', 'state', 30),
        ...dueEntries('greedy', 'stream', 30),
      ]);
      scheduler.entries.push(dueEntry('modest', kind, 1_000));
      scheduler.start();
      expect(scheduler.started.filter((account) => account === 'modest')).toEqual(['modest']);
    },
  );

  test('starts an evaluation of any account within as many rounds as there are accounts', () => {
    const greedy = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => dueEntries(name, 'state', 30));
    const scheduler = new SimulatedScheduler(greedy);
    scheduler.entries.push(dueEntry('modest', 'state', 1_000));
    let rounds = 0;
    for (; !scheduler.started.includes('modest'); rounds++) scheduler.end();
    expect(rounds).toBeLessThanOrEqual(7);
    while (scheduler.running.length > 0) scheduler.end();
    expect(scheduler.started).toHaveLength(greedy.length + 1);
  });

  test('runs expensive or failed evaluations of an account one at a time, and others beside them', () => {
    const scheduler = new SimulatedScheduler([
      ...dueEntries('a', 'stream', 30, 1),
      ...dueEntries('a', 'state', 1),
    ]);
    expect(scheduler.running.map(({ entry }) => entry.row.failures)).toEqual([1, 0]);
    scheduler.end();
    expect(scheduler.running.map(({ entry }) => entry.row.failures)).toEqual([0, 1]);
  });

  test('starts evaluations of the same kind while expensive ones are blocked', () => {
    const scheduler = new SimulatedScheduler(dueEntries('a', 'state', 30, 1));
    scheduler.entries.push(dueEntry('a', 'state', 1_000));
    scheduler.start();
    expect(scheduler.running.map(({ entry }) => entry.row.failures)).toEqual([1, 0]);
    while (scheduler.running.length > 0) scheduler.end();
    expect(scheduler.started).toHaveLength(31);
  });

  test('limits waiting leases per account, and leases one per account before a second of any', () => {
    const greedy = dueEntries('greedy', 'state', 30);
    const queue = new EvaluationQueue();
    const both = queue.nextToLease([...greedy, ...dueEntries('modest', 'state', 2)], input);
    expect(both.map(({ task }) => task.ownerId).slice(0, 4)).toEqual([
      'greedy',
      'modest',
      'greedy',
      'modest',
    ]);
    expect(both).toHaveLength(8);
    for (const entry of both) queue.add({ entry, lease: {} as never });
    expect(queue.nextToLease(greedy, input)).toEqual([]);
    expect(queue.clear()).toHaveLength(8);
    expect(queue.take()).toBeUndefined();
  });
});
