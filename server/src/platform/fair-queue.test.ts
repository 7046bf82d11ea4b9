import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const queueOf = (concurrency: number, waiting: number, seconds = 60) =>
  new FairQueue({ noun: 'search', concurrency, waiting, waitingPerAccount: waiting, detached: 1, seconds });

/** Tasks that run until the test completes them. */
function controlledTasks() {
  const completions: (() => void)[] = [];
  const started: string[] = [];
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      started.push(name);
      completions.push(() => resolve(name));
    });
  const completeOne = async () => {
    completions.shift()?.();
    await new Promise((resume) => setImmediate(resume));
  };
  return { work, started, completeOne, running: () => completions.length };
}

describe('running tasks', () => {
  test('are limited in number, and waiting accounts are served round-robin', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 10);
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => queue.run(name[0] as string, work(name)));
    for (let step = 0; step < 5; step++) await completeOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('may detach before they end, up to a limit', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 10);
    const detached = (name: string) =>
      queue.run('a', (_, detach) => {
        detach();
        detach();
        return work(name)();
      });
    const all = [detached('first'), detached('second'), detached('third')];
    await new Promise((resume) => setImmediate(resume));
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second'], 1, 1]);
    await completeOne();
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second'], 1, 0]);
    await completeOne();
    expect([started, queue.running, queue.detached]).toEqual([['first', 'second', 'third'], 0, 1]);
    await completeOne();
    expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
    expect([queue.running, queue.detached, queue.waiting]).toEqual([0, 0, 0]);
  });

  test('are rejected when the queue is full, and a failed task releases its slot', async () => {
    const { work, completeOne } = controlledTasks();
    const queue = queueOf(1, 1);
    const first = queue.run('a', work('first'));
    const second = queue.run('a', () => Promise.reject(new Error('broken')));
    await expect(queue.run('b', work('third'))).rejects.toThrow('Too many requests are waiting for a search');
    const outcome = expect(second).rejects.toThrow('broken');
    await completeOne();
    await outcome;
    expect(await first).toBe('first');
    const last = queue.run('b', work('last'));
    await completeOne();
    expect(await last).toBe('last');
  });

  test('never exceed the limit and all settle, for any order of callers and aborts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c'), isAbandoned: fc.boolean() }), {
          maxLength: 30,
        }),
        fc.integer({ min: 1, max: 4 }),
        async (tasks, concurrency) => {
          const { work, completeOne, running, started } = controlledTasks();
          const queue = queueOf(concurrency, 100);
          const controller = new AbortController();
          const outcomes = Promise.allSettled(
            tasks.map(({ account, isAbandoned }, index) =>
              queue.run(account, work(`${index}`), isAbandoned ? controller.signal : undefined),
            ),
          );
          const startedBefore = new Set(started);
          controller.abort(new Error('disconnected'));
          for (let step = 0; step < tasks.length; step++) {
            expect(running()).toBeLessThanOrEqual(concurrency);
            await completeOne();
          }
          const statuses = (await outcomes).map(({ status }) => status);
          const isKept = ({ isAbandoned }: { isAbandoned: boolean }, index: number) =>
            startedBefore.has(`${index}`) || !isAbandoned;
          expect(statuses).toEqual(
            tasks.map((task, index) => (isKept(task, index) ? 'fulfilled' : 'rejected')),
          );
          expect(started).toHaveLength(tasks.filter(isKept).length);
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
  const disconnected = new Error('disconnected');

  test('leaves the queue without running, and the other tasks keep their order', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 4);
    const controller = new AbortController();
    const first = queue.run('a', work('a1'));
    const abandoned = queue.run('b', work('b1'), controller.signal);
    const others = ['c1', 'b2', 'c2'].map((name) => queue.run(name[0] as string, work(name)));
    expect([queue.running, queue.waiting]).toEqual([1, 4]);
    controller.abort(disconnected);
    await expect(abandoned).rejects.toBe(disconnected);
    expect([queue.running, queue.waiting]).toEqual([1, 3]);
    const after = queue.run('a', work('a2'));
    for (let step = 0; step < 5; step++) await completeOne();
    await Promise.all([first, ...others, after]);
    expect(started).toEqual(['a1', 'b2', 'c1', 'a2', 'c2']);
  });

  test('is aborted while running, and releases its slot when it has ended', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 1);
    const controller = new AbortController();
    let complete = () => {};
    const stopping = new Promise<void>((resolve) => {
      complete = resolve;
    });
    const abandoned = queue.run(
      'a',
      (signal) => untilAborted(signal).finally(() => stopping),
      controller.signal,
    );
    const next = queue.run('b', work('b1'));
    controller.abort(disconnected);
    await new Promise((resume) => setImmediate(resume));
    expect(started).toEqual([]);
    complete();
    await expect(abandoned).rejects.toBe(disconnected);
    expect(started).toEqual(['b1']);
    await completeOne();
    expect(await next).toBe('b1');
  });

  test('never starts if it was abandoned while queued', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 1);
    await expect(queue.run('a', work('a1'), AbortSignal.abort(disconnected))).rejects.toBe(disconnected);
    const running = queue.run('a', work('a2'));
    await expect(queue.run('a', work('a3'), AbortSignal.abort(disconnected))).rejects.toBe(disconnected);
    await completeOne();
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
    const message = 'took longer than 0.01 seconds: narrow the time range or the filters';
    await expect(queue.run('a', untilAborted)).rejects.toMatchObject(refusal(message));
    expect(await queue.run('a', async () => 'next')).toBe('next');
  });

  test('in the queue is rejected and never runs', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(1, 1, seconds);
    const first = queue.run('a', work('a1'));
    const message = 'waited more than 0.01 seconds in the queue: try again';
    await expect(queue.run('b', work('b1'))).rejects.toMatchObject(refusal(message));
    await completeOne();
    expect([await first, started, queue.running]).toEqual(['a1', ['a1'], 0]);
  });
});

describe('an account with many tasks', () => {
  const step = () => new Promise((resume) => setImmediate(resume));

  test('leaves the last slot free, so that another account starts immediately', async () => {
    const { work, started, completeOne } = controlledTasks();
    const queue = queueOf(3, 10);
    const busy = ['b1', 'b2', 'b3', 'b4'].map((name) => queue.run('busy', work(name)));
    const idle = queue.run('idle', work('i1'));
    expect(started).toEqual(['b1', 'b2', 'i1']);
    for (let end = 0; end < 5; end++) await completeOne();
    expect(await Promise.all([...busy, idle])).toEqual(['b1', 'b2', 'b3', 'b4', 'i1']);
  });

  test('is rejected when its own queue is full, while other accounts still queue', async () => {
    const { work, completeOne } = controlledTasks();
    const queue = new FairQueue({
      ...{ noun: 'search', concurrency: 1, waiting: 10, waitingPerAccount: 2, seconds: 60 },
    });
    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', work(name)));
    await expect(queue.run('a', work('a4'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    all.push(queue.run('b', work('b1')));
    for (let end = 0; end < 4; end++) await completeOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('delays an idle account by at most one slot, for any number of busy accounts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 40 }),
        fc.integer({ min: 0, max: 10 }),
        async (concurrency, busy, completed) => {
          const { work, started, completeOne } = controlledTasks();
          const queue = queueOf(concurrency, 100);
          const all = busy.map((account, index) => queue.run(account, work(`${account}${index}`)));
          for (let count = 0; count < completed; count++) await completeOne();
          all.push(queue.run('idle', work('idle')));
          await step();
          // Accounts that run nothing are served round-robin, the longest waiting first.
          let completions = 0;
          for (; !started.includes('idle'); completions++) await completeOne();
          expect(completions).toBeLessThanOrEqual(new Set(busy).size + 1);
          for (let end = 0; end < busy.length + 1; end++) await completeOne();
          expect(await Promise.all(all)).toHaveLength(busy.length + 1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
