import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ParseQueue } from './parse-queue.ts';

test('parses one large body per event-loop iteration, in order, and small bodies immediately', async () => {
  const bodies = new ParseQueue();
  const read: string[] = [];
  for (const name of ['one', 'two', 'three']) bodies.run(1_000_000, () => read.push(name));
  bodies.run(100, () => read.push('small'));
  expect(read).toEqual(['small']);
  for (const seen of [
    ['small', 'one'],
    ['small', 'one', 'two'],
    ['small', 'one', 'two', 'three'],
  ]) {
    await turn();
    expect(read).toEqual(seen);
  }
  bodies.run(1_000_000, () => read.push('later'));
  await turn();
  expect(read.at(-1)).toBe('later');
});
