import { describe, expect, test } from 'vitest';
import { FairWorkers } from './fair-workers.ts';

/** Due items by account, whose work runs until the test completes it. */
class Site {
  readonly due = new Map<string, string[]>();
  readonly started: string[] = [];
  readonly failures: unknown[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();
  readonly workers = new FairWorkers<string>({
    limits: { capacity: 2, reserve: 1 },
    accounts: async () => [...this.due].flatMap(([account, items]) => (items.length > 0 ? [account] : [])),
    take: async (account) => this.due.get(account)?.shift(),
    work: (item) =>
      new Promise((resolve, reject) => {
        this.started.push(item);
        this.#ends.set(item, (error) => (error ? reject(error) : resolve()));
      }),
    failed: (error) => void this.failures.push(error),
  });

  constructor(due: Record<string, string[]>) {
    for (const [account, items] of Object.entries(due)) this.due.set(account, items);
  }

  async end(item: string, error?: Error): Promise<void> {
    this.#ends.get(item)?.(error);
    for (let step = 0; step < 10; step++) await new Promise((resume) => setImmediate(resume));
  }
}

describe('fair workers', () => {
  test('run one item of a single account at a time, and one of another account immediately', async () => {
    const site = new Site({ greedy: ['g1', 'g2', 'g3'] });
    await site.workers.poll();
    expect(site.started).toEqual(['g1']);
    site.due.set('modest', ['m1']);
    await site.workers.poll();
    expect(site.started).toEqual(['g1', 'm1']);
    await site.end('m1');
    expect(site.started).toEqual(['g1', 'm1']);
    for (const item of ['g1', 'g2', 'g3']) await site.end(item);
    await site.workers.settled();
    expect([site.started, site.workers.running]).toEqual([['g1', 'm1', 'g2', 'g3'], 0]);
  });

  test('serve accounts round-robin and continue after failures', async () => {
    const site = new Site({ a: ['a1', 'a2', 'a3'], b: ['b1', 'b2'], c: ['c1'] });
    await site.workers.poll();
    await site.end('a1', new Error('broken'));
    for (const item of ['b1', 'c1', 'a2', 'b2', 'a3']) await site.end(item);
    await site.workers.settled();
    expect(site.started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(site.failures).toEqual([new Error('broken')]);
  });

  test('start nothing after a stop, and settle when the running work has ended', async () => {
    const site = new Site({ a: ['a1', 'a2'] });
    await site.workers.poll();
    site.workers.stop();
    const settled = site.workers.settled();
    await site.end('a1');
    await settled;
    expect(site.started).toEqual(['a1']);
  });

  test.each(Array.from({ length: 12 }, (_, microtasks) => microtasks))(
    'start an item that is announced %i microtasks after an empty look',
    async (microtasks) => {
      const site = new Site({});
      const first = site.workers.poll();
      for (let step = 0; step < microtasks; step++) await undefined;
      site.due.set('a', ['a1']);
      await site.workers.poll();
      await first;
      expect(site.started).toEqual(['a1']);
    },
  );
});
