import type { Bound } from '@vedette/lql/compile/tables';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Simulation } from '../../simulate/simulation.ts';
import { ManualClock } from '../../testing/clock.ts';
import type { Member, MemberType, TelemetryDataset } from '../dataset.ts';
import { datasets } from '../datasets.ts';
import { Intake } from '../intake.ts';
import { type MemberTree, treeOf } from '../member-tree.ts';
import { columnsOf } from '../query-column.ts';
import { expectedRows, type Row, rowsOf, type StoredRecord, served, textOf } from './query.sample.ts';
import { typeOf } from './querying.ts';
import { hour, iso, noon, SampleStore } from './store.sample.ts';
import { DuckTables } from './tables.ts';

const day = 24 * hour;
const all = datasets.flatMap((dataset) =>
  dataset.datasources.map((datasource) => [datasource.name, dataset, datasource] as const),
);

/** What clients write where text is declared and a moment is meant. */
const momentTexts = new Set(['mtime', 'CONTAINER_START_TIME', 'IMAGE_CREATED_TIME']);
const kinds = ['LOGIN', 'LOGOFF', 'LOGIN', 'SUDO', 'LOGOFF', 'LOGOFF', 'LOGIN'];

/** Records of a dataset that differ in what they have, of what kind it is and when they happened. */
class Making {
  readonly #dataset: TelemetryDataset;
  readonly #random: () => number;

  constructor(dataset: TelemetryDataset, seed: number) {
    this.#dataset = dataset;
    let state = seed * 2_654_435_761 + dataset.path.length;
    this.#random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
  }

  record(isOdd: boolean): Record<string, unknown> {
    const start = noon - 3 * day + Math.floor(this.#random() * 8 * day);
    const entries = Object.entries(this.#dataset.members).map(([name, member]) => {
      if (name === 'startTime') return [name, iso(start)];
      if (name === 'endTime') return [name, iso(start + Math.floor(this.#random() * 3 * hour))];
      if (member.optional && this.#random() < 0.25) return [name, this.#pick([undefined, null])];
      return [name, this.#value(name, member, isOdd)];
    });
    return Object.fromEntries(entries);
  }

  #value(name: string, { type, inner }: Member, isOdd: boolean): unknown {
    if (name === 'activityType') return this.#pick(kinds);
    return inner ? this.#object(treeOf(inner), isOdd) : this.#plain(name, type);
  }

  #object(tree: MemberTree, isOdd: boolean): Record<string, unknown> {
    const entries = [...tree].map(([name, below]) => {
      if (this.#random() < 0.1) return [name, undefined];
      if (isOdd && this.#random() < 0.4) return [name, this.#oddity()];
      return [name, below instanceof Map ? this.#object(below, isOdd) : this.#plain(name, below.type)];
    });
    return { ...Object.fromEntries(entries), more: 1.5 };
  }

  #plain(name: string, type: MemberType): unknown {
    const some = Math.floor(this.#random() * 3);
    if (momentTexts.has(name))
      return this.#pick([
        iso(noon + some),
        '1772366400123',
        '2026-03-01T12:00:00.123456789+05:30',
        'never',
        '',
      ]);
    switch (type) {
      case 'string':
        return this.#pick([`${name} ${some}`, `${name} é"\\ ${some}`, some === 0 ? '' : 'null']);
      case 'integer':
        return this.#pick([BigInt(some), 9_007_199_254_740_993n, -(2n ** 63n), 2n ** 63n - 1n]);
      case 'number':
        return this.#pick([some, 0.5]);
      case 'boolean':
        return some > 0;
      case 'time':
        return this.#pick([
          iso(noon - 3 * day + Math.floor(this.#random() * 8 * day)),
          iso(noon),
          '1969-12-31T23:00:00.001Z',
        ]);
      default:
        return this.#pick([{ mid: 2n ** 60n + 1n, list: [1n, 'a,b', null] }, [], {}, ['x', { y: null }]]);
    }
  }

  /** Below an object anything is taken in. */
  #oddity(): unknown {
    return this.#pick([
      5n,
      1.5,
      3,
      '17',
      'x',
      true,
      null,
      { a: [1n] },
      ['b'],
      2n ** 64n - 1n,
      '2026-03-01T12:00:00Z',
    ]);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}

/** Keeps what it stores beside it. */
class Keeping {
  readonly stored = new Map<string, StoredRecord[]>();
  readonly clock = new ManualClock(noon);
  sample!: SampleStore;
  #intake!: Intake;

  async open(): Promise<void> {
    this.sample = await SampleStore.open(this.clock, ...datasets);
    this.#intake = new Intake({ store: (batch) => this.sample.writer.store(batch) });
  }

  async store(
    dataset: TelemetryDataset,
    account: string,
    records: readonly Record<string, unknown>[],
  ): Promise<void> {
    if (records.length === 0) return;
    const docs = records.map(textOf);
    await this.#intake.take({
      account,
      dataset,
      form: 'lines',
      text: docs.join('\n'),
      idempotencyKey: undefined,
    });
    const seq = this.sample.segments.lastSequence;
    const kept = docs.map((doc, n) => ({
      ...{ account, doc, seq, n, received: this.clock.now() },
      record: records[n] as StoredRecord['record'],
    }));
    this.stored.set(dataset.path, [...(this.stored.get(dataset.path) ?? []), ...kept]);
  }

  async check(
    name: string,
    account: string,
    start: number,
    end: number,
    wanted?: readonly string[],
  ): Promise<Row[]> {
    const [, dataset, datasource] = all.find(([other]) => other === name) as (typeof all)[number];
    const columns = columnsOf(dataset, datasource).filter((column) => wanted?.includes(column.name) ?? true);
    const bounds = { account, start, end };
    const found = await rowsOf(this.sample, name, columns, bounds);
    const expected = expectedRows(dataset, datasource, this.stored.get(dataset.path) ?? [], columns, bounds);
    expect(sorted(found)).toEqual(sorted(expected));
    return expected;
  }
}

const sorted = (rows: readonly Row[]) => rows.map(textOf).sort();

let keeping: Keeping;
const moments: number[] = [];

beforeAll(async () => {
  keeping = new Keeping();
  await keeping.open();
  const { clock, sample } = keeping;
  // Three days of arrival: the first becomes cold, the second sealed, and the third takes in what arrives.
  for (const [round, wait] of [0, 9 * day, day].entries()) {
    clock.advance(wait);
    for (const [at, dataset] of datasets.filter(({ datasources }) => datasources.length > 0).entries()) {
      const making = new Making(dataset, 100 * round + at);
      const records = (count: number) => Array.from({ length: count }, () => making.record(round !== 1));
      await keeping.store(dataset, 'A', records(12));
      // The second day is of one account alone.
      if (round !== 1) await keeping.store(dataset, 'B', records(6));
    }
  }
  for (const records of keeping.stored.values())
    for (const { record } of records)
      for (const value of Object.values(record)) {
        const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
        if (!Number.isNaN(moment)) moments.push(moment);
      }
  expect(sample.files()).toHaveLength(3);
});
afterAll(() => keeping.sample.close());

const far = 400 * day;

describe('tables', () => {
  test.each(all.map(([name]) => name))('give of %s what the records say, in every column', async (name) => {
    const rows = await keeping.check(name, 'A', noon - far, noon + far);
    const filled = new Set(rows.flatMap((row) => Object.keys(row).filter((column) => row[column] !== null)));
    expect([...filled].sort()).toEqual(Object.keys(rows[0] as Row).sort());
    await keeping.check(name, 'B', noon - far, noon + far);
    expect(await keeping.check(name, 'C', noon - far, noon + far)).toEqual([]);
    expect((await keeping.check(name, 'A', noon - far, noon + far, [])).length).toBe(rows.length);
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
          const [one, other] = [moments[from % moments.length], moments[to % moments.length]] as [
            number,
            number,
          ];
          const [start, end] = [Math.min(one, other) + before, Math.max(one, other) + after];
          await keeping.check(name, account, start, end);
        },
      ),
      { numRuns: 150 },
    );

  test('have the rows of one account in the time range, to the millisecond', holds);

  test('have the same when days are sealed and packed', async () => {
    await keeping.sample.upkeep.tidy();
    expect(keeping.sample.files()).toEqual([
      '2026-03-01.cold-1.duckdb',
      '2026-03-10.sealed-1.duckdb',
      '2026-03-11.duckdb',
    ]);
    for (const [name] of all)
      for (const account of ['A', 'B']) await keeping.check(name, account, noon - far, noon + far);
    await holds();
    await keeping.sample.reopen();
    for (const [name] of all) await keeping.check(name, 'A', noon - far, noon + far);
  });

  test('show no batch that comes after they were asked for', async () => {
    const { segments, inventory, engine, writer } = keeping.sample;
    const [name, dataset] = all[0] as (typeof all)[number];
    const parameters: Bound[] = [];
    const sql = new DuckTables(segments, inventory).rows({
      datasource: served(name, []),
      columns: [],
      bounds: { account: 'A', start: noon - far, end: noon + far },
      bind: (value) => `$${parameters.push(value)}`,
    });
    const count = async () => {
      const types = parameters.map(typeOf);
      const result = await engine.use((connection) => connection.runAndReadAll(sql, parameters, types));
      return result.currentRowCount;
    };
    const before = await count();
    const records = [textOf(new Making(dataset, 7).record(false))];
    await writer.store({
      account: 'A',
      dataset,
      records,
      isEven: true,
      further: [],
      idempotencyKey: undefined,
    });
    expect([before > 0, await count()]).toEqual([true, before]);
  });

  test('have nothing of datasources that nobody fills', async () => {
    const columns = [
      { name: 'NAME', type: 'Json' },
      { name: 'LAST_USED_TIME', type: 'Timestamp' },
    ] as const;
    const bounds = { account: 'A', start: 0, end: noon };
    expect(await rowsOf(keeping.sample, 'LW_CE_IDENTITIES', columns, bounds)).toEqual([]);
    expect(await rowsOf(keeping.sample, 'LW_CFG_AWS_S3', [], bounds)).toEqual([]);
  });
});

test('tables give what a company reports', async () => {
  const company = new Keeping();
  await company.open();
  const hours = new Set<number>();
  for (const { dataset, hour: simulated, records } of new Simulation({ hosts: 2, seed: 3 }).portions(
    noon,
    1,
  )) {
    hours.add(simulated.start);
    if (hours.size > 2) break;
    // As they are sent.
    const sent = [...records()].slice(0, 50).map((record) => JSON.parse(JSON.stringify(record)));
    await company.store(dataset, 'A', sent);
  }
  for (const [name] of all) await company.check(name, 'A', noon - 3 * day, noon);
  company.sample.close();
});
