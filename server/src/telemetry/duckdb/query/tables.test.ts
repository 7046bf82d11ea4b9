import type { Bound, Bounds } from '@vedette/lql/compile/tables';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Simulation } from '../../../simulate/simulation.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { datasets } from '../../datasets.ts';
import { MirroredStore } from '../mirrored-store.sample.ts';
import { jsonOf, type Row, rowsOf, served } from '../query.sample.ts';
import { RecordGenerator } from '../record-generator.sample.ts';
import { hour, noon } from '../store.sample.ts';
import { typeOf } from './query-executor.ts';
import { DuckTables } from './tables.ts';

const day = 24 * hour;
const all = datasets.flatMap((dataset) =>
  dataset.datasources.map((datasource) => [datasource.name, dataset, datasource] as const),
);

const sorted = (rows: readonly Row[]) => rows.map(jsonOf).sort();

async function check(
  mirror: MirroredStore,
  name: string,
  bounds: Bounds,
  wanted?: readonly string[],
): Promise<readonly Row[]> {
  const { columns, rows } = mirror.expected(name, bounds, wanted);
  expect(sorted(await rowsOf(mirror.sample, name, columns, bounds))).toEqual(sorted(rows));
  return rows;
}

let mirror: MirroredStore;
const instants: number[] = [];

beforeAll(async () => {
  mirror = new MirroredStore(new ManualClock(noon));
  await mirror.open();
  await mirror.fill();
  for (const records of mirror.stored.values())
    for (const { record } of records)
      for (const value of Object.values(record)) {
        const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
        if (!Number.isNaN(instant)) instants.push(instant);
      }
  expect(mirror.sample.files()).toHaveLength(3);
});
afterAll(() => mirror.sample.close());

const always = (account: string) => ({ account, start: noon - 400 * day, end: noon + 400 * day });

describe('tables', () => {
  test.each(all.map(([name]) => name))('return the records of %s in every column', async (name) => {
    const rows = await check(mirror, name, always('A'));
    const filled = new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== null)));
    expect([...filled].sort()).toEqual(Object.keys(rows[0] as Row).sort());
    await check(mirror, name, always('B'));
    expect(await check(mirror, name, always('C'))).toEqual([]);
    expect((await check(mirror, name, always('A'), [])).length).toBe(rows.length);
  });

  const holds = () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all.map(([name]) => name)),
        fc.constantFrom('A', 'B', "A' or true --"),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(-1, 0, 1),
        fc.constantFrom(-1, 0, 1),
        async (name, account, from, to, before, after) => {
          const [one, other] = [instants[from % instants.length], instants[to % instants.length]] as [
            number,
            number,
          ];
          const [start, end] = [Math.min(one, other) + before, Math.max(one, other) + after];
          await check(mirror, name, { account, start, end });
        },
      ),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 60) },
    );

  test('contain the rows of one account in the time range, to the millisecond', holds);

  test('contain the same after days are sealed and compressed', async () => {
    await mirror.sample.maintenance.compact();
    expect(mirror.sample.files()).toEqual([
      '2026-03-01.cold-1.duckdb',
      '2026-03-10.sealed-1.duckdb',
      '2026-03-11.duckdb',
    ]);
    for (const [name] of all) for (const account of ['A', 'B']) await check(mirror, name, always(account));
    await holds();
    await mirror.sample.reopen();
    for (const [name] of all) await check(mirror, name, always('A'));
  });

  test('do not show batches stored after the query was compiled', async () => {
    const { segments, inventory, engine, writer } = mirror.sample;
    const [name, dataset] = all[0] as (typeof all)[number];
    const parameters: Bound[] = [];
    const sql = new DuckTables(segments, inventory).rows({
      datasource: served(name, []),
      columns: [],
      bounds: always('A'),
      bind: (value) => `$${parameters.push(value)}`,
    });
    const count = async () => {
      const types = parameters.map(typeOf);
      const result = await engine.use((connection) => connection.runAndReadAll(sql, parameters, types));
      return result.currentRowCount;
    };
    const before = await count();
    const records = [jsonOf(new RecordGenerator(dataset, 7).record(false))];
    await writer.store({
      account: 'A',
      dataset,
      records,
      isWellTyped: true,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    });
    expect([before > 0, await count()]).toEqual([true, before]);
  });

  test('are empty for datasources without data', async () => {
    const columns = [
      { name: 'NAME', type: 'Json' },
      { name: 'LAST_USED_TIME', type: 'Timestamp' },
    ] as const;
    const bounds = { account: 'A', start: 0, end: noon };
    expect(await rowsOf(mirror.sample, 'LW_CE_IDENTITIES', columns, bounds)).toEqual([]);
    expect(await rowsOf(mirror.sample, 'LW_CFG_AWS_S3', [], bounds)).toEqual([]);
  });
});

test('tables return the records of the simulated company', async () => {
  const company = new MirroredStore(new ManualClock(noon));
  await company.open();
  const hours = new Set<number>();
  for (const { dataset, hour: simulated, records } of new Simulation({ hosts: 2, seed: 3 }).portions(
    noon,
    1,
  )) {
    hours.add(simulated.start);
    if (hours.size > 2) break;
    const sent = [...records()].slice(0, 50).map((record) => JSON.parse(JSON.stringify(record)));
    await company.store(dataset, 'A', sent);
  }
  for (const [name] of all) await check(company, name, { account: 'A', start: noon - 3 * day, end: noon });
  company.sample.close();
});
