import { expect, test } from 'vitest';
import { CachedJson } from './cached-json.ts';

test('makes the text once for each source and variant, and anew for another', () => {
  const made: string[] = [];
  const remembered = new CachedJson((source: { readonly name: string }, variant) => {
    made.push(`${source.name} ${variant}`);
    return { name: source.name, variant };
  });
  const [ada, other] = [{ name: 'ada' }, { name: 'other' }];
  expect(remembered.of(ada, 'one').json).toBe('{"name":"ada","variant":"one"}');
  expect(remembered.of(ada, 'one')).toBe(remembered.of(ada, 'one'));
  expect(remembered.of(other, 'one').json).toBe('{"name":"other","variant":"one"}');
  expect(remembered.of(ada, 'two').json).toBe('{"name":"ada","variant":"two"}');
  expect(remembered.of({ name: 'ada' }, 'two').json).toBe('{"name":"ada","variant":"two"}');
  expect(made).toEqual(['ada one', 'other one', 'ada two', 'ada two']);
});
