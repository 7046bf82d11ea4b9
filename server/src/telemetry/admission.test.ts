import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Admission } from './admission.ts';

/** Work that ends when it is told to. */
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
    await new Promise((turn) => setImmediate(turn));
  };
  return { work, started, endOne, running: () => ends.length };
}

describe('searches at once', () => {
  test('are as many as allowed, and accounts that wait take turns', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 10, mostOut: 1, seconds: 60 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => admission.run(name[0] as string, work(name)));
    for (let turn = 0; turn < 5; turn++) await endOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('may give their turn away before they are done, but not too many of them', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 10, mostOut: 1, seconds: 60 });
    const leaving = (name: string) =>
      admission.run('a', (_, leave) => {
        leave();
        leave();
        return work(name)();
      });
    const all = [leaving('first'), leaving('second'), leaving('third')];
    await new Promise((turn) => setImmediate(turn));
    expect([started, admission.running, admission.out]).toEqual([['first', 'second'], 1, 1]);
    await endOne();
    expect([started, admission.running, admission.out]).toEqual([['first', 'second'], 1, 0]);
    await endOne();
    expect([started, admission.running, admission.out]).toEqual([['first', 'second', 'third'], 0, 1]);
    await endOne();
    expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
    expect([admission.running, admission.out, admission.waiting]).toEqual([0, 0, 0]);
  });

  test('are refused when too many wait, and a failing one makes room', async () => {
    const { work, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 1, mostOut: 1, seconds: 60 });
    const first = admission.run('a', work('first'));
    const second = admission.run('a', () => Promise.reject(new Error('broken')));
    await expect(admission.run('b', work('third'))).rejects.toThrow('Too many searches are waiting');
    const outcome = expect(second).rejects.toThrow('broken');
    await endOne();
    await outcome;
    expect(await first).toBe('first');
    const last = admission.run('b', work('last'));
    await endOne();
    expect(await last).toBe('last');
  });

  test('never run more than allowed and all end, whoever asks in whatever order and leaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ account: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() }), {
          maxLength: 30,
        }),
        fc.integer({ min: 1, max: 4 }),
        async (all, most) => {
          const { work, endOne, running, started } = held();
          const admission = new Admission({ atOnce: most, mostWaiting: 100, mostOut: 1, seconds: 60 });
          const gone = new AbortController();
          const outcomes = Promise.allSettled(
            all.map(({ account, leaves }, index) =>
              admission.run(account, work(`${index}`), leaves ? gone.signal : undefined),
            ),
          );
          gone.abort(new Error('left'));
          for (let turn = 0; turn < all.length; turn++) {
            expect(running()).toBeLessThanOrEqual(most);
            await endOne();
          }
          const statuses = (await outcomes).map(({ status }) => status);
          const stays = ({ leaves }: { leaves: boolean }, index: number) => index < most || !leaves;
          expect(statuses).toEqual(all.map((one, index) => (stays(one, index) ? 'fulfilled' : 'rejected')));
          expect(started).toHaveLength(all.filter(stays).length);
          expect([admission.running, admission.waiting]).toEqual([0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });
});

/** Work that ends only when its signal aborts. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

describe('a search that nobody waits for any more', () => {
  const left = new Error('left');

  test('leaves the queue without running, and the others keep their turns', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 4, mostOut: 1, seconds: 60 });
    const gone = new AbortController();
    const first = admission.run('a', work('a1'));
    const leaving = admission.run('b', work('b1'), gone.signal);
    const others = ['c1', 'b2', 'c2'].map((name) => admission.run(name[0] as string, work(name)));
    expect([admission.running, admission.waiting]).toEqual([1, 4]);
    gone.abort(left);
    await expect(leaving).rejects.toBe(left);
    expect([admission.running, admission.waiting]).toEqual([1, 3]);
    const after = admission.run('a', work('a2'));
    for (let turn = 0; turn < 5; turn++) await endOne();
    await Promise.all([first, ...others, after]);
    expect(started).toEqual(['a1', 'b2', 'c1', 'a2', 'c2']);
  });

  test('is told to stop when it runs, and its place is free when it has ended', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 1, mostOut: 1, seconds: 60 });
    const gone = new AbortController();
    let end = () => {};
    const stopping = new Promise<void>((resolve) => {
      end = resolve;
    });
    const leaving = admission.run('a', (signal) => untilAborted(signal).finally(() => stopping), gone.signal);
    const next = admission.run('b', work('b1'));
    gone.abort(left);
    await new Promise((turn) => setImmediate(turn));
    expect(started).toEqual([]);
    end();
    await expect(leaving).rejects.toBe(left);
    expect(started).toEqual(['b1']);
    await endOne();
    expect(await next).toBe('b1');
  });

  test('never begins when it was abandoned before its turn came', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 1, mostOut: 1, seconds: 60 });
    await expect(admission.run('a', work('a1'), AbortSignal.abort(left))).rejects.toBe(left);
    const running = admission.run('a', work('a2'));
    await expect(admission.run('a', work('a3'), AbortSignal.abort(left))).rejects.toBe(left);
    await endOne();
    await running;
    expect(started).toEqual(['a2']);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });
});

describe('a search that takes too long', () => {
  const seconds = 0.01;
  const refusal = (message: string) => ({ code: 'UNAVAILABLE', message: expect.stringContaining(message) });

  test('is told to stop and refused with what to do, and makes room', async () => {
    const admission = new Admission({ atOnce: 1, mostWaiting: 1, mostOut: 1, seconds });
    const late = 'took longer than 0.01 seconds: narrow the time range or the filters';
    await expect(admission.run('a', untilAborted)).rejects.toMatchObject(refusal(late));
    expect(await admission.run('a', async () => 'next')).toBe('next');
  });

  test('to get its turn is refused and never runs', async () => {
    const { work, started, endOne } = held();
    const admission = new Admission({ atOnce: 1, mostWaiting: 1, mostOut: 1, seconds });
    const first = admission.run('a', work('a1'));
    const late = 'waited longer than 0.01 seconds for its turn: try again';
    await expect(admission.run('b', work('b1'))).rejects.toMatchObject(refusal(late));
    await endOne();
    expect([await first, started, admission.running]).toEqual(['a1', ['a1'], 0]);
  });
});
