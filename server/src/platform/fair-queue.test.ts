import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const queueOf = (concurrency: number, waiting: number, seconds = 60) =>
  new FairQueue({ noun: 'search', concurrency, waiting, waitingPerAccount: waiting, detached: 1, seconds });

/** Tasks that run until the test completes them. */
function held() {
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      ends.push(() => resolve(name));
    });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resume) => setImmediate(resume));
  };
  return { work, started, endOne, running: () => ends.length };
}

describe('running tasks', () => {
  test('are limited in number, and waiting accounts are served round-robin', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 10);
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => queue.run(name[0] as string, work(name)));
    for (let step = 0; step < 5; step++) await endOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('may detach before they end, up to a limit', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 10);
    const abandoned = (name: string) =>
      queue.run('a', (_, leave) => {
        leave();
        leave();
        return work(name)();
      });
    const all = [abandoned('first'), abandoned('second'), abandoned('third')];
    await new Promise((resume) => setImmediate(resume));
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second'], 1, 1]);
    await endOne();
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second'], 1, 0]);
    await endOne();
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second', 'third'], 0, 1]);
    await endOne();
    expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
    expect([queue.running, queue.detached, queue.waiting]).toEqual([0, 0, 0]);
  });

  test('are refused when the queue is full, and a failed task releases its slot', async () => {
    const { work, endOne } = held();
    const queue = queueOf(1, 1);
    const first = queue.run('a', work('first'));
    const second = queue.run('a', () => Promise.reject(new Error('broken')));
    await expect(queue.run('b', work('third'))).rejects.toThrow('Too many requests are waiting for a search');
    const outcome = expect(second).rejects.toThrow('broken');
    await endOne();
    await outcome;
    expect(await first).toBe('first');
    const last = queue.run('b', work('last'));
    await endOne();
    expect(await last).toBe('last');
  });

  test('never exceed the limit and all settle, for any order of callers and aborts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c'), isAbandoned: fc.boolean() }), {
          maxLength: 30,
        }),
        fc.integer({ min: 1, max: 4 }),
        async (all, most) => {
          const { work, endOne, running, started } = held();
          const queue = queueOf(most, 100);
          const controller = new AbortController();
          const outcomes = Promise.allSettled(
            all.map(({ account, isAbandoned }, index) =>
              queue.run(account, work(`${index}`), isAbandoned ? controller.signal : undefined),
            ),
          );
          const startedBefore = new Set(started);
          controller.abort(new Error('left'));
          for (let step = 0; step < all.length; step++) {
            expect(running()).toBeLessThanOrEqual(most);
            await endOne();
          }
          const statuses = (await outcomes).map(({ status }) => status);
          const isKept = ({ isAbandoned }: { isAbandoned: boolean }, index: number) =>
            startedBefore.has(`${index}`) || !isAbandoned;
          expect(statuses).toEqual(all.map((one, index) => (isKept(one, index) ? 'fulfilled' : 'rejected')));
          expect(started).toHaveLength(all.filter(isKept).length);
          expect([queue.running, queue.waiting]).toEqual([0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

/** A task that runs until its signal aborts. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('an abandoned task', () => {
  const left = new Error('left');

  test('leaves the queue without running, and the other tasks keep their order', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 4);
    const controller = new AbortController();
    const first = queue.run('a', work('a1'));
    const abandoned = queue.run('b', work('b1'), controller.signal);
    const others = ['c1', 'b2', 'c2'].map((name) => queue.run(name[0] as string, work(name)));
    expect([queue.running, queue.waiting]).toEqual([1, 4]);
    controller.abort(left);
    await expect(abandoned).rejects.toBe(left);
    expect([queue.running, queue.waiting]).toEqual([1, 3]);
    const after = queue.run('a', work('a2'));
    for (let step = 0; step < 5; step++) await endOne();
    await Promise.all([first, ...others, after]);
    expect(started).toEqual(['a1', 'b2', 'c1', 'a2', 'c2']);
  });

  test('is aborted while running, and releases its slot when it has ended', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 1);
    const controller = new AbortController();
    let end = () => {};
    const stopping = new Promise<void>((resolve) => {
      end = resolve;
    });
    const abandoned = queue.run(
      'a',
      (signal) => untilAborted(signal).finally(() => stopping),
      controller.signal,
    );
    const next = queue.run('b', work('b1'));
    controller.abort(left);
    await new Promise((resume) => setImmediate(resume));
    expect(started).toEqual([]);
    end();
    await expect(abandoned).rejects.toBe(left);
    expect(started).toEqual(['b1']);
    await endOne();
    expect(await next).toBe('b1');
  });

  test('never starts if it was abandoned while queued', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 1);
    await expect(queue.run('a', work('a1'), AbortSignal.abort(left))).rejects.toBe(left);
    const running = queue.run('a', work('a2'));
    await expect(queue.run('a', work('a3'), AbortSignal.abort(left))).rejects.toBe(left);
    await endOne();
    await running;
    expect(started).toEqual(['a2']);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });
});

describe('a task that exceeds its timeout', () => {
  const seconds = 0.01;
  const refusal = (message: string) => ({ code: 'UNAVAILABLE', message: expect.stringContaining(message) });

  test('is aborted, reports the fix and releases its slot', async () => {
    const queue = queueOf(1, 1, seconds);
    const late = 'took longer than 0.01 seconds: narrow the time range or the filters';
    await expect(queue.run('a', untilAborted)).rejects.toMatchObject(refusal(late));
    expect(await queue.run('a', async () => 'next')).toBe('next');
  });

  test('in the queue is refused and never runs', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(1, 1, seconds);
    const first = queue.run('a', work('a1'));
    const late = 'waited more than 0.01 seconds in the queue: try again';
    await expect(queue.run('b', work('b1'))).rejects.toMatchObject(refusal(late));
    await endOne();
    expect([await first, started, queue.running]).toEqual(['a1', ['a1'], 0]);
  });
});

describe('an account with many tasks', () => {
  const step = () => new Promise((resume) => setImmediate(resume));

  test('leaves the last slot free, so that another account starts immediately', async () => {
    const { work, started, endOne } = held();
    const queue = queueOf(3, 10);
    const greedy = ['g1', 'g2', 'g3', 'g4'].map((name) => queue.run('greedy', work(name)));
    const modest = queue.run('modest', work('m1'));
    expect(started).toEqual(['g1', 'g2', 'm1']);
    for (let end = 0; end < 5; end++) await endOne();
    expect(await Promise.all([...greedy, modest])).toEqual(['g1', 'g2', 'g3', 'g4', 'm1']);
  });

  test('is refused when its own queue is full, while other accounts still queue', async () => {
    const { work, endOne } = held();
    const queue = new FairQueue({
      ...{ noun: 'search', concurrency: 1, waiting: 10, waitingPerAccount: 2, seconds: 60 },
    });
    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', work(name)));
    await expect(queue.run('a', work('a4'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    all.push(queue.run('b', work('b1')));
    for (let end = 0; end < 4; end++) await endOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('delays an idle account by at most one slot, for any number of busy accounts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 40 }),
        fc.integer({ min: 0, max: 10 }),
        async (concurrency, greedy, ended) => {
          const { work, started, endOne } = held();
          const queue = queueOf(concurrency, 100);
          const all = greedy.map((account, index) => queue.run(account, work(`${account}${index}`)));
          for (let end = 0; end < ended; end++) await endOne();
          all.push(queue.run('modest', work('modest')));
          await step();
          // Accounts that run nothing are served round-robin, the longest waiting first.
          let ends = 0;
          for (; !started.includes('modest'); ends++) await endOne();
          expect(ends).toBeLessThanOrEqual(new Set(greedy).size + 1);
          for (let end = 0; end < greedy.length + 1; end++) await endOne();
          expect(await Promise.all(all)).toHaveLength(greedy.length + 1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
