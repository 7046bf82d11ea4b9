import { expect, test } from 'vitest';
import { TimeHistogram } from './time-histogram.ts';

test('the last slice ends at the end of the range', () => {
  const part = new TimeHistogram(0, 1_001);
  part.add(0, 3);
  part.add(7, 2);
  part.add(200, 9);
  expect(part.total).toBe(14);
  expect(part.slice(5)).toEqual({ from: 1_000, to: 1_001, held: 9, wanted: 5 });
  expect(part.slice(10)).toEqual({ from: 35, to: 40, held: 2, wanted: 1 });
  expect(part.slice(13)).toEqual({ from: undefined, to: 5, held: 3, wanted: 2 });
});
