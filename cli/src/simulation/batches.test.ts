import { Simulation } from '@vedette/server/simulate/simulation';
import { expect, test } from 'vitest';
import { type Batch, batchesOf } from './batches.ts';

const end = Date.parse('2026-03-02T10:00:00.000Z');
const simulation = new Simulation({ hosts: 60, seed: 1 });
const batchesUntil = (until: number) => [...batchesOf(simulation.portions(until, 1), '1 60')];

test('batches contain every record once, at most 5,000 each, under unique keys', () => {
  const batches = batchesUntil(end);
  const lines = [...simulation.portions(end, 1)].flatMap(({ records }) =>
    [...records()].map((record) => JSON.stringify(record)),
  );
  expect(batches.flatMap(({ body }) => body.split('\n'))).toEqual(lines);
  expect(batches.map(({ records, body }) => [records, body.split('\n').length])).toEqual(
    batches.map(({ records }) => [records, records]),
  );
  expect(Math.max(...batches.map(({ records }) => records))).toBeLessThanOrEqual(5_000);
  expect(new Set(batches.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(batches.length);
  for (const { idempotencyKey } of batches) expect(idempotencyKey.length).toBeLessThanOrEqual(200);
  const shares = batches.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect([shares[0], shares.at(-1)]).toEqual([expect.closeTo(0, 2), expect.closeTo(1, 1)]);
});

test('an hour shared by two simulations has the same batches, so that a later one only adds hours', () => {
  const first = new Map(batchesUntil(end).map(({ idempotencyKey, body }) => [idempotencyKey, body]));
  const later = batchesUntil(end + 3_600_000);
  const isNew = ({ idempotencyKey }: Batch) => idempotencyKey.includes(new Date(end).toISOString());
  const shared = later.filter((batch) => !isNew(batch));
  expect(shared.length).toBeGreaterThan(100);
  expect(later.filter(isNew).length).toBeGreaterThan(10);
  for (const { idempotencyKey, body } of shared) expect(first.get(idempotencyKey)).toBe(body);
  for (const { idempotencyKey } of later.filter(isNew)) expect(first.has(idempotencyKey)).toBe(false);
});
