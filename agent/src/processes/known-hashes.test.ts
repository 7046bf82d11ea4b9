import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownHashes } from './known-hashes.ts';

const hash = (value: number) => createHash('sha256').update(String(value)).digest('hex');

test('a hash is new once, also after the cursor was stored', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(20))), (rounds) => {
      let cursor: unknown;
      const seen = new Set<number>();
      for (const values of rounds) {
        const known = KnownHashes.from(cursor);
        const fresh = [...new Set(values)].filter((value) => !seen.has(value));
        expect(known.add(values.map(hash))).toEqual(fresh.map(hash));
        for (const value of values) seen.add(value);
        cursor = JSON.parse(JSON.stringify(known.cursor));
      }
    }),
  );
});

test('the oldest hashes that are not in use are forgotten', () => {
  const known = new KnownHashes();
  known.add(Array.from({ length: 5_000 }, (_, index) => hash(index)));
  known.add([hash(0), hash(5_000)]);
  expect((known.cursor as { hashes: string[] }).hashes).toHaveLength(5_000);
  expect(known.add([hash(0)])).toEqual([]);
  expect(known.add([hash(1)])).toEqual([hash(1)]);
});

test('a damaged cursor is an empty one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (cursor) => {
      expect(KnownHashes.from(cursor).add([hash(1)])).toEqual([hash(1)]);
    }),
  );
  expect(KnownHashes.from({ hashes: [1, 'x', hash(1).slice(0, 16)] }).add([hash(1)])).toEqual([]);
});
