import { describe, expect, test } from 'vitest';
import { ReportTrigger } from './report-trigger.ts';

const second = 1_000;
const minute = 60 * second;

/** Start times of evaluations in seconds, for batches at the given seconds and a scheduler that ticks every second. */
function evaluations(arrivals: readonly number[], until: number, evaluatedAt = -Infinity): number[] {
  const watch = new ReportTrigger();
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

describe('evaluation of a policy on host reports', () => {
  test('happens once within 20 seconds of a batch', () => {
    expect(evaluations([5], 600)).toEqual([15]);
  });

  test('happens again after a burst whose last batches the first evaluation missed', () => {
    expect(evaluations(every(1, 40), 600)).toEqual([10, 49]);
    expect(evaluations([...every(1, 40), ...every(1, 40).map((at) => at + 100)], 600)).toEqual([10, 49, 149]);
  });

  test('happens every five minutes while hosts keep reporting', () => {
    expect(evaluations(every(1, 1_000), 1_000)).toEqual([10, 310, 610, 910]);
    expect(evaluations(every(30, 1_000), 1_000)).toEqual([10, 310, 610, 910]);
  });

  test('does not happen without batches, nor within five minutes of an evaluation before the start', () => {
    expect(evaluations([], 600)).toEqual([]);
    expect(evaluations([0], 600, -minute)).toEqual([240]);
  });
});
