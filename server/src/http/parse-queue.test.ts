import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ParseQueue } from './parse-queue.ts';

test('parses one large body per event-loop iteration, in order, and small bodies immediately', async () => {
  const queue = new ParseQueue();
  const parsed: string[] = [];
  for (const name of ['one', 'two', 'three']) queue.run(1_000_000, () => parsed.push(name));
  queue.run(100, () => parsed.push('small'));
  expect(parsed).toEqual(['small']);
  for (const expected of [
    ['small', 'one'],
    ['small', 'one', 'two'],
    ['small', 'one', 'two', 'three'],
  ]) {
    await nextIteration();
    expect(parsed).toEqual(expected);
  }
  queue.run(1_000_000, () => parsed.push('later'));
  await nextIteration();
  expect(parsed.at(-1)).toBe('later');
});
