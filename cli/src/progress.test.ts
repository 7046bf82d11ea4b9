import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

/** What is written when the work is told of every 50 ms for eleven seconds. */
function written(isTTY: boolean): string[] {
  const texts: string[] = [];
  let now = 0;
  const progress = new Progress({ isTTY, write: (text: string) => texts.push(text) }, () => now);
  for (; now < 11_000; now += 50) progress.show(now / 11_000, now);
  progress.show(1, 11_000);
  return texts;
}

test('on a terminal there is a bar that fills, and the line ends with the work', () => {
  const texts = written(true);
  expect(texts).toHaveLength(110);
  expect(texts[54]).toBe(
    `\r\x1b[K[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %, 5500 records, 1000 per second, 6 s left`,
  );
  expect(texts.at(-1)).toBe(`\r\x1b[K[${'#'.repeat(30)}] 100 %, 11000 records, 1000 per second\n`);
});

test('elsewhere there is a line every few seconds', () => {
  expect(written(false)).toEqual([
    '45 %, 5000 records, 1000 per second, 6 s left\n',
    '90 %, 10000 records, 1000 per second, 1 s left\n',
  ]);
});
