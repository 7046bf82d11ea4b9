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

test('a missing measurement exceeds its bound', () => {
  expect(exceeded(bounds, { wait: Number.NaN, memory: 1 }, false)).toEqual(['wait', 'failures']);
});

test('bounds on time are ignored on request', () => {
  expect(exceeded(bounds, { wait: 10_000, memory: 51, failures: 0 }, true)).toEqual(['memory']);
});

test('every attack has a unique name and a description, and some run in CI', () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  for (const { name, description } of attacks) {
    expect(name).toMatch(/^[a-z][a-z-]+$/);
    expect(description).toMatch(/^[A-Z].{20,}\.$/s);
  }
  expect(attacks.some(({ isQuick }) => isQuick)).toBe(true);
});
