import { expect, test } from 'vitest';
import { RecordCache } from './record-cache.ts';

const fail = () => {
  throw new Error('created again');
};

test('a cached record is reused until it changes', () => {
  const cache = new RecordCache();
  expect(cache.of('sealed', 'stored', () => 'shown')).toBe('shown');
  expect(cache.of('sealed', 'stored', fail)).toBe('shown');
  expect(cache.of('sealed', 'changed', () => 'other')).toBe('other');
  expect(cache.of('sealed', 'changed', fail)).toBe('other');
  expect(cache.characters).toBe('sealed'.length + 'changed'.length + 'other'.length);
});

test('a long record is not cached', () => {
  const cache = new RecordCache();
  const long = 'x'.repeat(40_000);
  expect(cache.of('sealed', long, () => long)).toBe(long);
  expect(cache.characters).toBe(0);
});

test('the cache holds at most 16 million characters', () => {
  const cache = new RecordCache();
  const record = 'x'.repeat(30_000);
  for (let count = 0; count < 1_000; count++) {
    cache.of(`sealed ${count}`, record, () => record);
    expect(cache.characters).toBeLessThanOrEqual(16_000_000);
  }
  expect(cache.of('sealed 999', record, fail)).toBe(record);
});
