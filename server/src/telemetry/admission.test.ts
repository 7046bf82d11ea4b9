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
    const admission = new Admission(1, 10);
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => admission.run(name[0] as string, work(name)));
    for (let turn = 0; turn < 5; turn++) await endOne();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('are refused when too many wait, and a failing one makes room', async () => {
    const { work, endOne } = held();
    const admission = new Admission(1, 1);
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

  test('never run more than allowed and all end, whoever asks in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (accounts, most) => {
          const { work, endOne, running, started } = held();
          const admission = new Admission(most, 100);
          const all = accounts.map((account, index) => admission.run(account, work(`${account}${index}`)));
          for (let turn = 0; turn < accounts.length; turn++) {
            expect(running()).toBeLessThanOrEqual(most);
            await endOne();
          }
          await Promise.all(all);
          expect(started).toHaveLength(accounts.length);
        },
      ),
      { numRuns: 50 },
    );
  });
});
