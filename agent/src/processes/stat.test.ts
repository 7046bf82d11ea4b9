import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ProcessStat, parseStat } from './stat.ts';

const line = ({ pid, name, ppid, pgid, sid, startTicks }: ProcessStat) =>
  `${pid} (${name}) S ${ppid} ${pgid} ${sid} 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 ${startTicks} 3133440 375 0\n`;
const id = fc.nat(2 ** 31 - 1);
const stats = fc.record({
  pid: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  name: fc.oneof(
    fc.string({ maxLength: 15 }),
    fc.string({ unit: fc.constantFrom(...'() 1S'), maxLength: 15 }),
  ),
  ppid: id,
  pgid: id,
  sid: id,
  startTicks: fc.bigInt(0n, 10n ** 13n),
});

test('what the kernel writes is read, whatever the name', () => {
  fc.assert(
    fc.property(stats, (stat) => {
      expect(parseStat(line(stat))).toEqual(stat);
    }),
  );
});

test('a process that is being removed has no group', () => {
  const text = `7 (x) X 0 -1 -1 ${'0 '.repeat(15)}55 0`;
  expect(parseStat(text)).toMatchObject({ ppid: 0, pgid: 0, sid: 0, startTicks: 55n });
});

test('a truncated line is either read with its true start or not at all', () => {
  fc.assert(
    fc.property(stats, fc.nat(), (stat, cut) => {
      const whole = line(stat);
      const parsed = parseStat(whole.slice(0, cut % whole.length));
      if (parsed) expect(String(stat.startTicks).startsWith(String(parsed.startTicks))).toBe(true);
    }),
  );
});

test('anything else is not understood', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'() 019-\n'), maxLength: 200 }),
    stats.map((stat) => line({ ...stat, startTicks: stat.startTicks + 10n ** 13n + 1n })),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const parsed = parseStat(text);
      if (parsed) expect(parsed.pid > 0 && parsed.startTicks <= 10n ** 13n).toBe(true);
    }),
  );
  expect(parseStat(`1 (x) S ${'0 '.repeat(18)}10000000000001 0`)).toBeUndefined();
});
