import { expect, test } from 'vitest';
import { summarize, withDueProbes } from './probe.ts';

test('a stall counts for every probe that was due during it', () => {
  expect(withDueProbes(4)).toEqual([4]);
  expect(withDueProbes(35)).toEqual([35, 25, 15, 5]);
});

test('the 99th percentile excludes one probe in a hundred', () => {
  const delays = Array.from({ length: 99 }, () => 1);
  expect(summarize([...delays, 500])).toEqual({ p99: 1, longest: 500 });
  expect(summarize([...delays, 500, 500])).toEqual({ p99: 500, longest: 500 });
  expect(summarize([])).toEqual({ p99: 0, longest: 0 });
});
