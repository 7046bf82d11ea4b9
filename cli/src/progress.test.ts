import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

/** Output of eleven seconds of progress reported every 50 ms. */
function written(isTTY: boolean): string[] {
  const writes: string[] = [];
  let now = 0;
  const progress = new Progress({ isTTY, write: (output: string) => writes.push(output) }, () => now);
  for (; now < 11_000; now += 50) progress.show(now / 11_000, now);
  progress.show(1, 11_000);
  return writes;
}

test('prints a progress bar on a terminal', () => {
  const writes = written(true);
  expect(writes).toHaveLength(110);
  expect(writes[54]).toBe(
    `\r\x1b[K[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %, 5500 records, 1000 per second, 6 s left`,
  );
  expect(writes.at(-1)).toBe(`\r\x1b[K[${'#'.repeat(30)}] 100 %, 11000 records, 1000 per second\n`);
});

test('prints a line every few seconds without a terminal', () => {
  expect(written(false)).toEqual([
    '45 %, 5000 records, 1000 per second, 6 s left\n',
    '90 %, 10000 records, 1000 per second, 1 s left\n',
  ]);
});
