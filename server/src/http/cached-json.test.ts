import { expect, test } from 'vitest';
import { CachedJson } from './cached-json.ts';

test('serializes once for each source and variant', () => {
  const built: string[] = [];
  const cache = new CachedJson((source: { readonly name: string }, variant) => {
    built.push(`${source.name} ${variant}`);
    return { name: source.name, variant };
  });
  const [ada, other] = [{ name: 'ada' }, { name: 'other' }];
  expect(cache.of(ada, 'one').json).toBe('{"name":"ada","variant":"one"}');
  expect(cache.of(ada, 'one')).toBe(cache.of(ada, 'one'));
  expect(cache.of(other, 'one').json).toBe('{"name":"other","variant":"one"}');
  expect(cache.of(ada, 'two').json).toBe('{"name":"ada","variant":"two"}');
  expect(cache.of({ name: 'ada' }, 'two').json).toBe('{"name":"ada","variant":"two"}');
  expect(built).toEqual(['ada one', 'other one', 'ada two', 'ada two']);
});
