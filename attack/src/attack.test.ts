import { expect, test } from 'vitest';
import { count, exceeded, megabytes, milliseconds } from './attack.ts';
import { attacks } from './attacks.ts';

const bounds = { wait: milliseconds(100), memory: megabytes(50), failures: count(0) };

test('a measurement at its bound passes, one above it does not', () => {
  expect(exceeded(bounds, { wait: 100, memory: 50, failures: 0 }, false)).toEqual([]);
  expect(exceeded(bounds, { wait: 101, memory: 51, failures: 1 }, false)).toEqual([
    'wait',
    'memory',
    'failures',
  ]);
});

test('what was not measured exceeds its bound', () => {
  expect(exceeded(bounds, { wait: Number.NaN, memory: 1 }, false)).toEqual(['wait', 'failures']);
});

test('bounds on time do not decide where time is ignored', () => {
  expect(exceeded(bounds, { wait: 10_000, memory: 51, failures: 0 }, true)).toEqual(['memory']);
});

test('every attack has a name of its own, says what it does, and some run in CI', () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  for (const { name, does } of attacks) {
    expect(name).toMatch(/^[a-z][a-z-]+$/);
    expect(does).toMatch(/^[A-Z].{20,}\.$/s);
  }
  expect(attacks.some(({ isQuick }) => isQuick)).toBe(true);
});
