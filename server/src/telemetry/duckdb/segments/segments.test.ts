import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFilter } from '../../../search/filter.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { canLimitFiles, limitFiles } from '../../../testing/file-size-limit.ts';
import { DamagedDaysError } from '../../damaged-days.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { connections } from '../../datasets/Connections.ts';
import { fieldsOf } from '../../record-form.ts';
import { connection, hour, noon, SampleStore } from '../store.sample.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => sample.close());

async function openAs(dataset: TelemetryDataset): Promise<void> {
  sample.datasets = [dataset];
  await sample.reopen();
}
async function store(records: readonly string[]): Promise<void> {
  const [dataset = connections] = sample.datasets;
  const batch = {
    account: 'A',
    dataset,
    records,
    isWellTyped: false,
    undeclaredMembers: [],
    idempotencyKey: undefined,
  };
  await sample.writer.store(batch);
}
const count = (field?: string, value?: string) => {
  const filter = { field: field ?? '', expression: 'eq', value: value ?? '' };
  return sample.count({
    ...{ dataset: connections, account: 'A', upTo: sample.segments.lastSequence },
    filters: field ? [readFilter(filter, 'filters[0]', fieldsOf(connections))] : [],
    range: { start: noon - 100 * hour, end: noon + 100 * hour },
  });
};
const file = (name: string) => join(sample.days, name);
const contents = () =>
  readdirSync(sample.days).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(file(name)))
      .digest('hex'),
  ]);

describe('the days directory', () => {
  beforeEach(async () => {
    for (let day = 0; day < 3; day++, clock.advance(24 * hour)) {
      await store(
        Array.from({ length: 500 }, (_, n) =>
          connection(noon + n, `,"x":"${Math.random()} ${Math.random()}"`),
        ),
      );
    }
    sample.engine.close();
  });

  test('with damaged days is not opened: the error names all of them, and nothing is changed', async () => {
    truncateSync(file('2026-03-01.duckdb'), 100_000);
    truncateSync(file('2026-03-03.duckdb'), 0);
    const before = contents();
    const refusal: Error = await sample.reopen().then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(refusal).toBeInstanceOf(DamagedDaysError);
    expect(refusal.message).toMatch(/2026-03-01\.duckdb: .+\n.+2026-03-03\.duckdb: .+\n/);
    expect(refusal.message).not.toContain('2026-03-02');
    expect(refusal.message).toContain('move it');
    expect(contents()).toEqual(before);

    for (const name of ['2026-03-01.duckdb', '2026-03-03.duckdb'])
      renameSync(file(name), join(sample.directory, name));
    await openAs(connections);
    expect(await count()).toBe(500);
  });

  test('keeps the file that a damaged one replaced', async () => {
    await sample.reopen();
    await sample.engine.use((db) => db.run('checkpoint "2026-03-01"'));
    copyFileSync(file('2026-03-01.duckdb'), join(sample.directory, 'kept'));
    await sample.maintenance.compact();
    sample.engine.close();
    copyFileSync(join(sample.directory, 'kept'), file('2026-03-01.duckdb'));
    truncateSync(file('2026-03-01.sealed-1.duckdb'), 100_000);
    await expect(sample.reopen()).rejects.toThrow('2026-03-01.sealed-1.duckdb: ');
    renameSync(file('2026-03-01.sealed-1.duckdb'), join(sample.directory, 'damaged'));
    await sample.reopen();
    expect(await count()).toBe(1_500);
  });

  test('keeps foreign files, and removes unfinished files of a crash', async () => {
    const foreign = ['notes.txt', 'notes.new', '2026-03-01.duckdb.bak', 'copy of 2026-03-02.duckdb'];
    for (const name of foreign) writeFileSync(file(name), name);
    writeFileSync(file('2026-03-05.duckdb.new'), 'half');
    mkdirSync(join(sample.directory, 'spill'), { recursive: true });
    writeFileSync(join(sample.directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp'), 'spilt');
    await openAs(connections);
    await store([connection(noon)]);
    for (const name of foreign) expect(readFileSync(file(name), 'utf8')).toBe(name);
    expect(existsSync(file('2026-03-05.duckdb.new'))).toBe(false);
    expect(existsSync(join(sample.directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp'))).toBe(false);
    expect(await count()).toBe(1_501);
  });
});

/** The URL of a module, as a string literal. */
const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

describe('the batches table', () => {
  const batch = { account: 'A', dataset: connections, isWellTyped: false, undeclaredMembers: [] };
  const send = (at: number, bodyDigest?: string) =>
    sample.writer.store({ ...batch, records: [connection(at)], idempotencyKey: 'key', bodyDigest });
  const alter = (change: string) =>
    sample.engine.use((open) => open.run(`alter table "2026-03-01".batches ${change}`));

  test('of a file without body digests keeps its keys, and accepts digests', async () => {
    await send(noon, 'one');
    await alter('drop column body_digest');
    await sample.reopen();
    expect(await send(noon, 'other')).toEqual({ records: 1, isRepeat: true });
    clock.advance(24 * hour);
    const next = { ...batch, records: [connection(noon)], idempotencyKey: 'next' };
    await sample.writer.store({ ...next, bodyDigest: 'one' });
    await expect(sample.writer.store({ ...next, bodyDigest: 'other' })).rejects.toThrow('a different body');
    expect(await sample.writer.store({ ...next, bodyDigest: 'one' })).toEqual({ records: 1, isRepeat: true });
    // A batch of the service itself may differ when it is generated again.
    expect(await sample.writer.store(next)).toEqual({ records: 1, isRepeat: true });
  });

  test('keeps the digests with the keys of dropped or rewritten days', async () => {
    await send(noon, 'one');
    clock.advance(24 * hour);
    await store([connection(noon + 24 * hour)]);
    await sample.maintenance.compact();
    await expect(send(noon, 'other')).rejects.toThrow('a different body');
    await sample.maintenance.deleteBefore(noon + 36 * hour);
    expect(sample.files()).toEqual(['2026-03-02.duckdb']);
    await expect(send(noon, 'other')).rejects.toThrow('a different body');
    expect(await send(noon, 'one')).toEqual({ records: 1, isRepeat: true });
  });

  test('of a newer version is not changed, and the error names the file', async () => {
    await send(noon, 'one');
    await alter('add column later varchar');
    await expect(sample.reopen()).rejects.toThrow(
      '2026-03-01.duckdb: it was written by a newer version of Vedette (column later): upgrade this one',
    );
  });
});

describe('a file with an earlier declaration', () => {
  const { numConns, dstEntityId, ...members } = connections.members;
  const earlier = { ...connections, members };

  test('gets the columns declared later, whatever values the records have', async () => {
    await openAs(earlier);
    const mistyped = ['"many"', '9223372036854775808', '{}', 'null', '2.5'];
    const records = mistyped.map((value, n) =>
      connection(noon + n).replace('"numConns":1', `"numConns":${value}`),
    );
    await store([...records, connection(noon)]);
    await openAs(connections);
    expect(await count()).toBe(6);
    expect(await count('numConns', '1')).toBe(1);
    expect(await count('dstEntityId.protocol', 'TCP')).toBe(6);
  });

  test.each([
    ['in another order', Object.fromEntries(Object.entries(connections.members).reverse())],
    [
      'of another type',
      {
        ...connections.members,
        numConns: { type: 'number', description: 'Number of connections.' } as const,
      },
    ],
    ['removed', members],
  ])('accepts batches, and is sealed, if members are %s', async (_, later) => {
    await store([connection(noon)]);
    await openAs({ ...connections, members: later });
    await store([connection(noon + 1)]);
    expect(await count('srcEntityType', 'Process')).toBe(2);
    clock.advance(24 * hour);
    await store([connection(noon + 2)]);
    await sample.maintenance.compact();
    expect(sample.files()).toEqual(['2026-03-01.sealed-1.duckdb', '2026-03-02.duckdb']);
    expect(await count('srcEntityType', 'Process')).toBe(3);
    await openAs(connections);
    expect(await count('numConns', '1')).toBe(3);
  });

  test.skipIf(!canLimitFiles)('is unchanged if the upgrade fails', async () => {
    await openAs(earlier);
    await store(Array.from({ length: 2_000 }, (_, n) => connection(noon + n)));
    sample.engine.close();
    limitFiles(500_000);
    await expect(openAs(connections).finally(() => limitFiles('unlimited'))).rejects.toThrow(
      'File too large',
    );
    await openAs(earlier);
    expect(await count()).toBe(2_000);
    await openAs(connections);
    expect(await count('numConns', '1')).toBe(2_000);
  });

  test('is intact if the process is killed during the upgrade', async () => {
    await openAs(earlier);
    await store(Array.from({ length: 10_000 }, (_, n) => connection(noon + n)));
    sample.engine.close();
    for (let round = 0; round < 5; round++) {
      const script = `
        const { SampleStore } = await import(${here('../store.sample.js')});
        const { connections } = await import(${here('../../datasets/Connections.js')});
        process.stdout.write('opening');
        await SampleStore.openAt(${JSON.stringify(sample.directory)}, { now: () => ${noon} }, connections);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      const exit = once(child, 'exit');
      await once(child.stdout, 'data');
      await setTimeout(randomInt(200));
      child.kill('SIGKILL');
      await exit;
    }
    await openAs(connections);
    expect(await count('numConns', '1')).toBe(10_000);
    expect(await count('dstEntityId.protocol', 'TCP')).toBe(10_000);
  });
});
