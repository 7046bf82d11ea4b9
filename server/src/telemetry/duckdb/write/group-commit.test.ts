import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { commandLines } from '../../datasets/CommandLines.ts';
import { connections } from '../../datasets/Connections.ts';
import { processes } from '../../datasets/Processes.ts';
import { Deriver } from '../../deriver.ts';
import { connection, hour, iso, noon, SampleStore } from '../store.sample.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(noon), connections, processes, commandLines);
});
afterEach(() => sample.close());

interface BatchInput {
  readonly account?: string;
  readonly records: readonly string[];
  readonly key?: string | undefined;
  readonly digest?: string;
  readonly undeclared?: readonly string[];
}

const store = ({ account = 'A', records, key, digest, undeclared = [] }: BatchInput) =>
  sample.writer.store({
    ...{ account, dataset: connections, records, isWellTyped: false, undeclaredMembers: undeclared },
    ...{ idempotencyKey: key, bodyDigest: digest },
  });

const rowsOf = async (table: string) => {
  const [segment] = sample.segments.all();
  const result = await sample.engine.use((db) =>
    db.runAndReadAll(`from (${table.replace('TABLE', String(segment?.table(connections.path)))})`),
  );
  return result.getRows().map((row) => row.map(Number));
};

describe('batches of a group commit', () => {
  test('keep their own sequence numbers, records and accounts', async () => {
    const records = (start: number, count: number) =>
      Array.from({ length: count }, (_, at) => connection(start + at));
    // The first is being stored while the others are queued.
    const stored = await Promise.all([
      store({ records: records(noon, 1) }),
      store({ records: records(noon, 3) }),
      store({ account: 'B', records: records(noon + hour, 2) }),
      store({ records: records(noon + 2 * hour, 5) }),
    ]);
    expect(stored).toEqual([1, 3, 2, 5].map((count) => ({ records: count, isRepeat: false })));
    const perBatch = await rowsOf(
      `select seq, count(*), min(t), max(t) from TABLE group by seq order by seq`,
    );
    // Round robin by account.
    expect(perBatch).toEqual([
      [1, 1, noon, noon],
      [2, 2, noon + hour, noon + hour + 1],
      [3, 3, noon, noon + 2],
      [4, 5, noon + 2 * hour, noon + 2 * hour + 4],
    ]);
    expect(await rowsOf(`select seq, n from TABLE where seq = 4 order by n`)).toEqual(
      [0, 1, 2, 3, 4].map((n) => [4, n]),
    );
    const [segment] = sample.segments.all();
    expect(segment?.spans.get(connections.path)).toMatchObject({ from: noon, to: noon + 3 * hour + 4 });
    expect(sample.segments.lastBatch('B', connections.path)).toBe(2);
    expect(sample.segments.lastBatch('A', connections.path)).toBe(4);
  });

  test('are recognized as repeats of stored batches and of each other', async () => {
    await store({ records: [connection(noon)], key: 'old', digest: 'one' });
    const outcomes = await Promise.allSettled([
      store({ records: [connection(noon)] }),
      store({ records: [connection(noon)], key: 'old', digest: 'one' }),
      store({ records: [connection(noon)], key: 'old', digest: 'two' }),
      store({ records: [connection(noon), connection(noon)], key: 'new', digest: 'one' }),
      store({ records: [connection(noon), connection(noon)], key: 'new', digest: 'one' }),
      store({ records: [connection(noon)], key: 'new', digest: 'two' }),
      store({ account: 'B', records: [connection(noon)], key: 'new', digest: 'two' }),
    ]);
    const short = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code));
    expect(short).toEqual([
      { records: 1, isRepeat: false },
      { records: 1, isRepeat: true },
      'CONFLICT',
      { records: 2, isRepeat: false },
      { records: 2, isRepeat: true },
      'CONFLICT',
      { records: 1, isRepeat: false },
    ]);
    expect(await rowsOf('select count(*) from TABLE')).toEqual([[5]]);
  });

  test('are stored except for one that the engine can not parse', async () => {
    const unreadable = connection(noon).replace('"numConns":1', '"numConns":99999999999999999999999');
    const outcomes = await Promise.allSettled([
      store({ records: [connection(noon)] }),
      store({ records: [connection(noon)], key: 'one' }),
      store({ records: [connection(noon), unreadable], key: 'two' }),
      store({ records: [connection(noon)], key: 'three' }),
    ]);
    expect(outcomes.map((each) => (each.status === 'fulfilled' ? 'stored' : each.reason.code))).toEqual([
      ...['stored', 'stored', 'INVALID_INPUT', 'stored'],
    ]);
    expect(await rowsOf('select count(*) from TABLE')).toEqual([[3]]);
    expect(await store({ records: [connection(noon)], key: 'two' })).toMatchObject({ isRepeat: false });
  });

  test('store each derived record and each undeclared member once', async () => {
    const process = (cmdlineHash: string) => ({
      ...{ startTime: iso(noon), endTime: iso(noon + hour), mid: 1, pidHash: 1, cmdlineHash },
      ...{ cmdline: `run ${cmdlineHash}` },
    });
    const send = (account: string, ...hashes: readonly string[]) => {
      const records = hashes.map(process);
      const deriver = new Deriver(processes);
      for (const record of records) deriver.add(record);
      return sample.writer.store({
        ...{ account, dataset: processes, records: records.map((each) => JSON.stringify(each)) },
        ...{
          isWellTyped: false,
          undeclaredMembers: ['colour', hashes[0] as string],
          derived: deriver.result(),
        },
        idempotencyKey: undefined,
      });
    };
    await Promise.all([send('A', 'x'), send('A', 'x', 'y'), send('B', 'x'), send('A', 'y', 'z')]);
    const count = (account: string) =>
      sample.count({
        ...{ account, dataset: commandLines, filters: [], range: { start: noon - hour, end: noon + hour } },
        upTo: 100,
      });
    expect([await count('A'), await count('B')]).toEqual([3, 1]);
    const [segment] = sample.segments.all();
    expect([...(segment?.undeclaredMembers('A', processes.path) ?? [])].sort()).toEqual(['colour', 'x', 'y']);
    const stored = await sample.engine.use((db) =>
      db.runAndReadAll(`select account, name from ${segment?.table('further_members')}`),
    );
    expect(stored.getRows()).toHaveLength(5);
  });

  test('store every record once, for any batch sizes and repeats', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ count: fc.integer({ min: 1, max: 4 }), key: fc.integer({ min: 0, max: 9 }) }), {
          minLength: 1,
          maxLength: 40,
        }),
        async (batches) => {
          const account = `R${round++}`;
          const expected = new Map(batches.map(({ count, key }) => [`${key} ${count}`, count]));
          await Promise.all(
            batches.map(({ count, key }) =>
              store({
                ...{ account, key: `${key} ${count}` },
                records: Array.from({ length: count }, () => connection(noon)),
              }),
            ),
          );
          const total = [...expected.values()].reduce((sum, count) => sum + count, 0);
          expect(await rowsOf(`select count(*) from TABLE where account = '${account}'`)).toEqual([[total]]);
        },
      ),
      { numRuns: 15 },
    );
  });
});
