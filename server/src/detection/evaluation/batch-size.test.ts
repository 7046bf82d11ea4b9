import { expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

test('grows while full batches are quick, and shrinks after slow ones', () => {
  const size = new BatchSize();
  expect(size.current).toBe(64);
  size.note(10, 5);
  expect(size.current).toBe(64);
  for (const expected of [128, 256, 512, 1_024, 1_024]) {
    size.note(size.current, 500);
    expect(size.current).toBe(expected);
  }
  size.note(size.current, 3_000);
  expect(size.current).toBe(1_024);
  for (let count = 0; count < 12; count++) size.note(size.current, 9_000);
  expect(size.current).toBe(1);
});
