import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import { parseJson } from '../../reference/json.ts';
import { doubleColumns, testCatalogue } from '../../reference/tables.sample.ts';
import type { ReferenceValue } from '../../reference/values.ts';
import { compile } from '../compile.ts';
import type { Bounds, TableRead } from '../tables.ts';
import { duckdb } from './duckdb.ts';
import { SampleEngine, sampleBounds, sampleNow, sampleTables } from './engine.sample.ts';

let engine: SampleEngine;

beforeAll(async () => {
  engine = await SampleEngine.start(testCatalogue, doubleColumns);
  const rows = Array.from({ length: 20 }, (_, at) => ({
    account: 'own',
    at: 1,
    row: new Map<string, ReferenceValue>([
      ['ID', BigInt(at)],
      ['NAME', `name ${at % 4}`],
      ['DOC', parseJson(`{"list": [${at}, ${at + 1}]}`)],
    ]),
  }));
  for (const table of testCatalogue.names()) await engine.fill(table, rows);
});

afterAll(() => engine.stop());

function checked(text: string) {
  const { query, problems } = analyse(text, testCatalogue);
  if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
  return query;
}

/** Table reads of a query, and its statement. */
function compiled(text: string, bounds: Bounds = sampleBounds) {
  const readings: TableRead[] = [];
  const tables = {
    rows: (reading: TableRead) => {
      readings.push(reading);
      return sampleTables.rows(reading);
    },
  };
  const options = { dialect: duckdb, tables, bounds, now: sampleNow };
  return { ...compile(checked(text), options), readings };
}

describe('a statement', () => {
  test('applies the row limit after removing duplicates', async () => {
    const all = checked('{ source { ALPHA } return { ID } }');
    expect(await engine.execute(all, 7)).toHaveLength(7);
    expect(await engine.execute(all)).toHaveLength(20);
    const names = checked('{ source { ALPHA } return distinct { NAME } }');
    expect((await engine.execute(names, 10)).sort()).toEqual(
      [0, 1, 2, 3].map((at) => `{"NAME":"name ${at}"}`),
    );
    expect(await engine.execute(names, 3)).toHaveLength(3);
    const both = '{ source { ALPHA } return { NAME } }, { source { BETA } return { NAME } }';
    expect(await engine.execute(checked(`union { ${both} }`))).toHaveLength(4);
    expect(await engine.execute(checked(`union all { ${both} }`), 30)).toHaveLength(30);
  });

  test('reads every datasource within the bounds, and only required columns', () => {
    const { readings } = compiled(`{ source { ALPHA a with BETA b on 'by string' } filter { a.NAME in
      { source { ALPHA } filter { SHARE > 1 } return { NAME } } } return { b.NAME } }`);
    const columns = readings.map(({ datasource, columns: read }) => [
      datasource.name,
      ...read.map(({ name }) => name),
    ]);
    expect(columns).toEqual([
      ['ALPHA', 'SHARE', 'NAME'],
      ['ALPHA', 'NAME', 'DOC'],
      ['BETA', 'ID', 'NAME'],
    ]);
    for (const { bounds } of readings) expect(bounds).toBe(sampleBounds);
  });

  test('restricts the first source by arrival, but not the joined ones', () => {
    const arrived = { after: 3, upTo: 5 };
    const { readings } = compiled(
      `{ source { ALPHA a with BETA b on 'by string' } filter { a.NAME in
        { source { ALPHA } return { NAME } } } return { b.NAME } }`,
      { ...sampleBounds, arrived },
    );
    const read = readings.map(({ datasource, bounds }) => [datasource.name, bounds.arrived]);
    expect(read).toEqual([
      ['ALPHA', undefined],
      ['ALPHA', arrived],
      ['BETA', undefined],
    ]);
  });

  test('compares unconverted columns with parameters, so that the engine can skip rows', () => {
    const { sql } =
      compiled(`{ source { ALPHA } filter { ID > 5 and NAME = 'x' and SEEN < ms_to_timestamp(7) and ID in (1, 2) }
      return { ID } }`);
    expect(sql).toContain('(s0."ID" > $1::BIGINT) and (s0."NAME" = $2::VARCHAR) and (s0."SEEN" < ');
    expect(sql).toContain('(s0."ID" in ($4::BIGINT, $5::BIGINT))');
  });

  test('joins columns of one type without conversion', () => {
    const { sql } = compiled("{ source { ALPHA a with BETA b on 'by name' } return { b.DOC } }");
    expect(sql).toContain('on s0."NAME" = s1."NAME" and s0."ID" = s1."ID"');
  });

  test('grows linearly with the query', async () => {
    const casts = (count: number) =>
      `{ source { ALPHA } return { ID${'::String::Number'.repeat(count)} as X, DOC${':list'.repeat(count)} as Y } }`;
    expect(compiled(casts(40)).sql.length).toBeLessThan(compiled(casts(20)).sql.length * 2.2);
    expect(await engine.execute(checked(casts(20)), 1)).toEqual(['{"X":0,"Y":null}']);
    const sum = (count: number) =>
      `{ source { ALPHA } return { DOC:a::Number${' + DOC:list::Number'.repeat(count)} as X } }`;
    expect(compiled(sum(40)).sql.length).toBeLessThan(compiled(sum(20)).sql.length * 2.2);
    const nested = (depth: number): string =>
      depth === 0
        ? 'NAME'
        : `case when ${nested(depth - 1)} in { source { BETA } return { NAME } } then 'name 0' when ID = ${depth} then null else 'y' end`;
    const blocks = (depth: number) => `{ source { ALPHA } return { ${nested(depth)} as X } }`;
    expect(compiled(blocks(8)).sql.length).toBeLessThan(compiled(blocks(4)).sql.length * 2.2);
    const depths = await Promise.all([1, 2, 3, 4].map((depth) => engine.execute(checked(blocks(depth)), 2)));
    expect(depths.map(([first]) => first)).toEqual(
      ['"name 0"', '"name 0"', '"name 0"', '"name 0"'].map((x) => `{"X":${x}}`),
    );
  });

  test('concatenates as many strings as a query may contain', async () => {
    const text = `{ source { ALPHA } return { NAME${" || 'x'".repeat(150)} as X } }`;
    expect(await engine.execute(checked(text), 1)).toEqual([`{"X":"name 0${'x'.repeat(150)}"}`]);
  });
});
