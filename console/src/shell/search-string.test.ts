import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-string.ts';

test('parameters are flat and readable', () => {
  expect(stringifySearch({ severity: 'critical,high', status: undefined, from: '-7d', q: '' })).toBe(
    '?severity=critical,high&from=-7d',
  );
  expect(stringifySearch({})).toBe('');
});

test.each(['a b', 'a+b', '100%', 'a&b=c', '#', 'ü/ö:,', '"<script>"'])('%s survives', (q) => {
  expect(parseSearch(stringifySearch({ q }))).toEqual({ q });
});
