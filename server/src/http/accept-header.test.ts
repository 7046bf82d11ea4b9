import { describe, expect, test } from 'vitest';
import { negotiateEncoding, qualityValues } from './accept-header.ts';

describe('the negotiated content encoding', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.8', 'gzip'],
    ['gzip; q=0.5 , br;q=0', 'gzip'],
    ['gzip;q=0, br;q=0.000', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0.5, *;q=0', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=nothing', undefined],
    ['zstd, compress', undefined],
  ])('for Accept-Encoding: %s is %s', (header, expected) => {
    expect(negotiateEncoding(header, ['br', 'gzip'])).toBe(expected);
  });

  test('is never one that the server does not offer', () => {
    expect(negotiateEncoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
    expect(negotiateEncoding('br', ['gzip'])).toBeUndefined();
  });
});

test('quality values are read among other parameters', () => {
  expect([...qualityValues('text/html, application/json;version=1;q=0.2')]).toEqual([
    ['text/html', 1],
    ['application/json', 0.2],
  ]);
});
