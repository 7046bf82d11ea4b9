import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFilter } from '../../search/filter.ts';
import { ManualClock } from '../../testing/clock.ts';
import { canLimitFiles, limitFiles } from '../../testing/file-size-limit.ts';
import { DamagedDaysError } from '../damaged-days.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { connections } from '../datasets/Connections.ts';
import { fieldsOf } from '../record-form.ts';
import { connection, hour, noon, openSampleStore } from './store.sample.ts';

let directory: string;
let clock: ManualClock;
let parts: Awaited<ReturnType<typeof openSampleStore>> | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-segments-'));
  clock = new ManualClock(noon);
});
afterEach(() => {
  close();
  rmSync(directory, { recursive: true, force: true });
});

async function open(dataset: TelemetryDataset = connections) {
  parts = await openSampleStore(directory, clock, { datasets: [dataset] });
  return parts;
}
function close(): void {
  parts?.engine.close();
  parts = undefined;
}
async function store(records: readonly string[], dataset: TelemetryDataset = connections): Promise<void> {
  await parts?.writer.store({ account: 'A', dataset, records, further: [], idempotencyKey: undefined });
}
const count = (field?: string, value?: string) => {
  const filter = { field: field ?? '', expression: 'eq', value: value ?? '' };
  return parts?.reader.count({
    ...{ dataset: connections, account: 'A', upTo: parts.segments.lastSequence },
    filters: field ? [readFilter(filter, 'filters[0]', fieldsOf(connections))] : [],
    range: { start: noon - 100 * hour, end: noon + 100 * hour },
  });
};
const file = (name: string) => join(directory, 'days', name);
const contents = () =>
  readdirSync(join(directory, 'days')).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(file(name)))
      .digest('hex'),
  ]);

describe('a directory of days', () => {
  beforeEach(async () => {
    await open();
    for (let day = 0; day < 3; day++, clock.advance(24 * hour)) {
      await store(
        Array.from({ length: 500 }, (_, n) =>
          connection(noon + n, `,"x":"${Math.random()} ${Math.random()}"`),
        ),
      );
    }
    close();
  });

  test('with damaged ones is not opened: all of them are named, and nothing is changed', async () => {
    truncateSync(file('2026-03-01.duckdb'), 100_000);
    truncateSync(file('2026-03-03.duckdb'), 0);
    const before = contents();
    const refusal: Error = await open().then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(refusal).toBeInstanceOf(DamagedDaysError);
    expect(refusal.message).toMatch(/2026-03-01\.duckdb: .+\n.+2026-03-03\.duckdb: .+\n/);
    expect(refusal.message).not.toContain('2026-03-02');
    expect(refusal.message).toContain('move it');
    expect(contents()).toEqual(before);

    for (const name of ['2026-03-01.duckdb', '2026-03-03.duckdb'])
      renameSync(file(name), join(directory, name));
    await open();
    expect(await count()).toBe(500);
  });

  test('has what is not its own left alone, and what a process left half made removed', async () => {
    const foreign = ['notes.txt', '2026-03-01.duckdb.bak', 'copy of 2026-03-02.duckdb'];
    for (const name of foreign) writeFileSync(file(name), name);
    writeFileSync(file('2026-03-05.duckdb.new'), 'half');
    mkdirSync(join(directory, 'spill'), { recursive: true });
    writeFileSync(join(directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp'), 'spilt');
    await open();
    await store([connection(noon)]);
    for (const name of foreign) expect(readFileSync(file(name), 'utf8')).toBe(name);
    expect(existsSync(file('2026-03-05.duckdb.new'))).toBe(false);
    expect(existsSync(join(directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp'))).toBe(false);
    expect(await count()).toBe(1_501);
  });
});

describe('a file of an earlier declaration', () => {
  const { numConns, dstEntityId, ...members } = connections.members;
  const earlier = { ...connections, members };

  test('has the columns that were declared later, whatever the records had there', async () => {
    await open(earlier);
    const odd = ['"many"', '9223372036854775808', '{}', 'null', '2.5'];
    const records = odd.map((value, n) =>
      connection(noon + n).replace('"numConns":1', `"numConns":${value}`),
    );
    await store([...records, connection(noon)], earlier);
    close();
    await open();
    expect(await count()).toBe(6);
    expect(await count('numConns', '1')).toBe(1);
    expect(await count('dstEntityId.protocol', 'TCP')).toBe(6);
  });

  test.skipIf(!canLimitFiles)('is as it was when that fails on the way', async () => {
    await open(earlier);
    await store(
      Array.from({ length: 2_000 }, (_, n) => connection(noon + n)),
      earlier,
    );
    close();
    limitFiles(500_000);
    await expect(open().finally(() => limitFiles('unlimited'))).rejects.toThrow('File too large');
    await open(earlier);
    expect(await count()).toBe(2_000);
    close();
    await open();
    expect(await count('numConns', '1')).toBe(2_000);
  });

  test('is whole when the process is killed on the way', async () => {
    await open(earlier);
    await store(
      Array.from({ length: 10_000 }, (_, n) => connection(noon + n)),
      earlier,
    );
    close();
    for (let round = 0; round < 5; round++) {
      const script = `
        const { openSampleStore } = await import(${JSON.stringify(new URL('store.sample.js', import.meta.url).href)});
        process.stdout.write('opening');
        await openSampleStore(${JSON.stringify(directory)}, { now: () => ${noon} });`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      const exit = once(child, 'exit');
      await once(child.stdout, 'data');
      await setTimeout(randomInt(200));
      child.kill('SIGKILL');
      await exit;
    }
    await open();
    expect(await count('numConns', '1')).toBe(10_000);
    expect(await count('dstEntityId.protocol', 'TCP')).toBe(10_000);
  }, 60_000);
});
