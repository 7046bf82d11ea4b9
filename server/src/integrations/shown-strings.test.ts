import { expect, test } from 'vitest';
import { ShownStrings } from './shown-strings.ts';

const fail = () => {
  throw new Error('made again');
};

test('a record that was shown lately is not made again, one that changed is', () => {
  const texts = new ShownStrings();
  expect(texts.of('sealed', 'stored', () => 'shown')).toBe('shown');
  expect(texts.of('sealed', 'stored', fail)).toBe('shown');
  expect(texts.of('sealed', 'changed', () => 'other')).toBe('other');
  expect(texts.of('sealed', 'changed', fail)).toBe('other');
  expect(texts.characters).toBe('sealed'.length + 'changed'.length + 'other'.length);
});

test('a long record is not kept', () => {
  const texts = new ShownStrings();
  const long = 'x'.repeat(40_000);
  expect(texts.of('sealed', long, () => long)).toBe(long);
  expect(texts.characters).toBe(0);
});

test('however many are shown, 16 million characters are kept at the most', () => {
  const texts = new ShownStrings();
  const record = 'x'.repeat(30_000);
  for (let count = 0; count < 1_000; count++) {
    texts.of(`sealed ${count}`, record, () => record);
    expect(texts.characters).toBeLessThanOrEqual(16_000_000);
  }
  expect(texts.of('sealed 999', record, fail)).toBe(record);
});
