import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { negotiateEncoding } from './accept-header.ts';
import { matchesEtag, SharedBody } from './shared-body.ts';

describe('a shared body', () => {
  const content = 'the same for everyone '.repeat(1_000);

  test('is loaded and compressed once, and every response has the same bytes', async () => {
    let loads = 0;
    const body = new SharedBody(async () => {
      loads++;
      return Buffer.from(content);
    });
    const [first, second, plain] = await Promise.all([
      body.representationFor('gzip'),
      body.representationFor('*;q=0, gzip'),
      body.representationFor(''),
    ]);
    const [brotli, again] = await Promise.all([
      body.representationFor('br, gzip'),
      body.representationFor('br'),
    ]);
    expect(second.bytes).toBe(first.bytes);
    expect(again.bytes).toBe(brotli.bytes);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(content);
    expect((await body.representationFor('gzip')).bytes).toBe(first.bytes);
    expect((await body.representationFor(undefined)).bytes).toBe(plain.bytes);
    expect(loads).toBe(1);
    expect(gunzipSync(first.bytes).toString()).toBe(content);
    expect(first.bytes.length).toBeLessThan(plain.bytes.length / 10);
    expect([first, brotli, plain].map(({ encoding }) => encoding)).toEqual(['gzip', 'br', undefined]);
    expect(new Set([first, brotli, plain].map(({ etag }) => etag)).size).toBe(3);
    expect(plain.etag).toBe(`"${await body.tag()}"`);
  });

  test('is loaded again after a failure', async () => {
    let loads = 0;
    const body = new SharedBody(async () => {
      if (++loads === 1) throw new Error('no file');
      return Buffer.from(content);
    });
    await expect(body.representationFor('gzip')).rejects.toThrow('no file');
    expect(gunzipSync((await body.representationFor('gzip')).bytes).toString()).toBe(content);
  });
});

test.each([
  ['gzip', true],
  ['deflate, GZIP;q=0.5, br', true],
  ['*', true],
  ['identity', false],
  ['gzip;q=0', false],
  ['gzip; q=0, *', false],
  ['br', false],
  ['gzip;q=x', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j accepts gzip: %s', (header, accepts) => {
  expect(negotiateEncoding(header, ['gzip']) === 'gzip').toBe(accepts);
});

test.each([
  ['"a"', true],
  ['"x", W/"a"', true],
  ['*', true],
  ['"x"', false],
  ['a', false],
  [undefined, false],
])('If-None-Match %j matches the ETag "a": %s', (header, matches) => {
  expect(matchesEtag(header, '"a"')).toBe(matches);
});
