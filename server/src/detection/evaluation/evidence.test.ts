import { afterEach, beforeEach, expect, test } from 'vitest';
import { ControlStore } from '../../control/store.ts';
import { Refusal } from '../../platform/errors.ts';
import { createLog } from '../../platform/log.ts';
import type { IngestRequest } from '../../telemetry/intake.ts';
import { ManualClock } from '../../testing/clock.ts';
import { createTestPlace, type TestPlace } from '../../testing/database.ts';
import { Evidence } from './evidence.ts';

let place: TestPlace;
let store: ControlStore;
const clock = new ManualClock();
beforeEach(async () => {
  place = await createTestPlace();
  store = await ControlStore.open(place.controlUrl, clock);
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

test('a storage failure for one account does not delay the evidence of another', async () => {
  const row = (owner_id: string, id: string) => ({ id, owner_id, place: 'here', records: '{}' });
  const greedy = Array.from({ length: 40 }, (_, at) => row('GREEDY', `a${String(at).padStart(2, '0')}`));
  const rows = [...greedy, row('MODEST', 'b')];
  await store.housekeeping((tx) => tx.insertInto('evidence').values(rows).execute());
  const stored: string[] = [];
  let isFull = true;
  const intake = {
    ingest: async ({ account }: IngestRequest) => {
      if (isFull && account === 'GREEDY') throw new Refusal('UNAVAILABLE', 'Too much is waiting.');
      stored.push(account);
      return { records: 1, isRepeat: false };
    },
  };
  const evidence = new Evidence({ store, intake, clock, log: createLog('silent'), place: 'here' });
  await expect(evidence.store()).rejects.toThrow('Too much is waiting.');
  expect(stored).toEqual(['MODEST']);
  const left = () => store.read.selectFrom('evidence').select('owner_id').execute();
  expect(await left()).toHaveLength(40);
  isFull = false;
  await evidence.store();
  expect([stored.length, await left()]).toEqual([41, []]);
});

test('a rejected evidence record does not affect the other records of its batch', async () => {
  const row = { id: 'a', owner_id: 'A', place: 'here', records: '{"n":1}\n{"n":2}\n{"n":3}\n' };
  await store.housekeeping((tx) => tx.insertInto('evidence').values(row).execute());
  const stored: [string, string | undefined][] = [];
  const intake = {
    ingest: async ({ body, idempotencyKey }: IngestRequest) => {
      if (body.includes('2')) throw new Refusal('INVALID_INPUT', 'records[1] is not to be stored.');
      stored.push([body, idempotencyKey]);
      return { records: 1, isRepeat: false };
    },
  };
  await new Evidence({ store, intake, clock, log: createLog('silent'), place: 'here' }).store();
  expect(stored).toEqual([
    ['{"n":1}', 'a-0'],
    ['{"n":3}', 'a-2'],
  ]);
  expect(await store.read.selectFrom('evidence').selectAll().execute()).toEqual([]);
});
