import { describe, expect, test } from 'vitest';
import { ReportWatch } from './report-watch.ts';

const second = 1_000;
const minute = 60 * second;

/** When evaluations begin, in seconds, for batches that arrive at the given seconds; the scheduler looks every second. */
function evaluations(arrivals: readonly number[], until: number, evaluatedAt = -Infinity): number[] {
  const watch = new ReportWatch();
  const began: number[] = [];
  let last = evaluatedAt;
  for (let at = 0; at <= until; at++) {
    const batches = arrivals.filter((arrival) => arrival <= at).length;
    if (watch.dueSince(at * second, batches, last) === undefined) continue;
    watch.begin(batches);
    last = at * second;
    began.push(at);
  }
  return began;
}

const every = (step: number, until: number) =>
  Array.from({ length: Math.ceil(until / step) }, (_, index) => index * step);

describe('a policy over what hosts report', () => {
  test('is evaluated within 20 seconds of a batch, once', () => {
    expect(evaluations([5], 600)).toEqual([15]);
  });

  test('is evaluated again after a burst, whose last batches the first evaluation did not see', () => {
    expect(evaluations(every(1, 40), 600)).toEqual([10, 49]);
    expect(evaluations([...every(1, 40), ...every(1, 40).map((at) => at + 100)], 600)).toEqual([10, 49, 149]);
  });

  test('is evaluated every five minutes while hosts keep reporting', () => {
    expect(evaluations(every(1, 1_000), 1_000)).toEqual([10, 310, 610, 910]);
    expect(evaluations(every(30, 1_000), 1_000)).toEqual([10, 310, 610, 910]);
  });

  test('is not evaluated without batches, nor sooner than five minutes after an evaluation before the start', () => {
    expect(evaluations([], 600)).toEqual([]);
    expect(evaluations([0], 600, -minute)).toEqual([240]);
  });
});
