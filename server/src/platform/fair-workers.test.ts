import { describe, expect, test } from 'vitest';
import { FairWorkers } from './fair-workers.ts';

/** Due items by account; work on an item runs until the test completes it. */
class ItemStore {
  readonly due = new Map<string, string[]>();
  readonly started: string[] = [];
  readonly failures: unknown[] = [];
  readonly #completions = new Map<string, (error?: Error) => void>();
  readonly workers = new FairWorkers<string>({
    limits: { capacity: 2, reserve: 1 },
    accounts: async () => [...this.due].flatMap(([account, items]) => (items.length > 0 ? [account] : [])),
    take: async (account) => this.due.get(account)?.shift(),
    work: (item) =>
      new Promise((resolve, reject) => {
        this.started.push(item);
        this.#completions.set(item, (error) => (error ? reject(error) : resolve()));
      }),
    failed: (error) => void this.failures.push(error),
  });

  constructor(due: Record<string, string[]>) {
    for (const [account, items] of Object.entries(due)) this.due.set(account, items);
  }

  async complete(item: string, error?: Error): Promise<void> {
    this.#completions.get(item)?.(error);
    for (let step = 0; step < 10; step++) await new Promise((resume) => setImmediate(resume));
  }
}

describe('fair workers', () => {
  test('run one item of a single account at a time, and one of another account immediately', async () => {
    const items = new ItemStore({ busy: ['b1', 'b2', 'b3'] });
    await items.workers.poll();
    expect(items.started).toEqual(['b1']);
    items.due.set('idle', ['i1']);
    await items.workers.poll();
    expect(items.started).toEqual(['b1', 'i1']);
    await items.complete('i1');
    expect(items.started).toEqual(['b1', 'i1']);
    for (const item of ['b1', 'b2', 'b3']) await items.complete(item);
    await items.workers.settled();
    expect([items.started, items.workers.running]).toEqual([['b1', 'i1', 'b2', 'b3'], 0]);
  });

  test('serve accounts round-robin and continue after failures', async () => {
    const items = new ItemStore({ a: ['a1', 'a2', 'a3'], b: ['b1', 'b2'], c: ['c1'] });
    await items.workers.poll();
    await items.complete('a1', new Error('broken'));
    for (const item of ['b1', 'c1', 'a2', 'b2', 'a3']) await items.complete(item);
    await items.workers.settled();
    expect(items.started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(items.failures).toEqual([new Error('broken')]);
  });

  test('start nothing after a stop, and settle when the running work has ended', async () => {
    const items = new ItemStore({ a: ['a1', 'a2'] });
    await items.workers.poll();
    items.workers.stop();
    const settled = items.workers.settled();
    await items.complete('a1');
    await settled;
    expect(items.started).toEqual(['a1']);
  });

  test.each(Array.from({ length: 12 }, (_, microtasks) => microtasks))(
    'start an item that is added %i microtasks after an empty poll',
    async (microtasks) => {
      const items = new ItemStore({});
      const first = items.workers.poll();
      for (let step = 0; step < microtasks; step++) await undefined;
      items.due.set('a', ['a1']);
      await items.workers.poll();
      await first;
      expect(items.started).toEqual(['a1']);
    },
  );
});
