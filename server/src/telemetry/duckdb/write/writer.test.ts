import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { noon, connection as record, SampleStore } from '../store.sample.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(), connections);
});
afterEach(() => sample.close());

const store = (account: string, json: string) =>
  sample.writer.store({
    ...{ account, dataset: connections, records: [json], isWellTyped: false, undeclaredMembers: [] },
    idempotencyKey: undefined,
  });

describe('queued batches', () => {
  test('are scheduled round robin by account: another account is stored with the next group', async () => {
    const stored: string[] = [];
    const all = Array.from({ length: 150 }, (_, at) =>
      store('GREEDY', record(noon + at)).then(() => void stored.push('greedy')),
    );
    all.push(store('MODEST', record(noon)).then(() => void stored.push('modest')));
    await Promise.all(all);
    // A group is already being stored when it arrives.
    expect(stored.indexOf('modest')).toBeLessThanOrEqual(64);
    expect(stored).toHaveLength(151);
  });

  test('of one account use at most half of the queue, and other accounts are accepted', async () => {
    const large = `,"more":"${'x'.repeat(6 * 1024 * 1024)}"`;
    const outcomes = Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => store('GREEDY', record(noon + at, large))),
    );
    await expect(store('MODEST', record(noon, large))).resolves.toEqual({ records: 1, isRepeat: false });
    const refused = (await outcomes).flatMap((each) =>
      each.status === 'rejected' ? [each.reason.code] : [],
    );
    expect(refused).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
    await expect(store('GREEDY', record(noon))).resolves.toEqual({ records: 1, isRepeat: false });
  });
});
