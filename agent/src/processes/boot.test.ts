import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBootTime } from '../host/boot-time.ts';
import { parseTicksPerSecond } from './boot.ts';

test('the time of the boot is on its own line', () => {
  expect(parseBootTime('cpu 1\nintr 5 0\nctxt 7\nbtime 1700000000\nprocesses 9\n')).toBe(1_700_000_000_000);
  expect(parseBootTime('xbtime 17\nbtime \nbtime x\n')).toBeUndefined();
});

test('the ticks are those that getconf prints, or the usual ones', () => {
  expect(parseTicksPerSecond(execFileSync('getconf', ['CLK_TCK']).toString())).toBeGreaterThan(0);
  expect(parseTicksPerSecond('250\n')).toBe(250);
  for (const text of ['', '0', 'undefined', '-5']) expect(parseTicksPerSecond(text)).toBe(100);
});

test('any text gives a number that can be divided by', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'btime 0123\n') }), (text) => {
      expect(parseTicksPerSecond(text)).toBeGreaterThan(0);
      expect(parseBootTime(text) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});
