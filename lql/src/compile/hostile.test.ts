import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { doubleColumns, testCatalogue } from '../reference/tables.sample.ts';
import type { ReferenceValue } from '../reference/values.ts';
import { clickhouse } from './clickhouse/clickhouse.ts';
import { compile } from './compile.ts';
import { duckdb } from './duckdb/duckdb.ts';
import { SampleEngine, sampleBounds, sampleNow, sampleTables } from './duckdb/engine.sample.ts';

const mark = 'zq9';
const weapons = [
  ...["'", '"', "''", '\\', '\\\\', '--', '/*', '*/', ';', '$1', '{p1:String}', '`', '\n', '’', ')', '}'],
  ...[' or 1=1', ' union all select * from "ALPHA"', '::VARCHAR', '~1', '/', '$.*', '*', '0'],
];
/** SQL injection payloads that are recognisable in a statement. */
const hostile = fc
  .array(fc.constantFrom(...weapons), { maxLength: 4 })
  .map((parts) => `${mark}${parts.join(mark)}`);
const name = fc.nat(99).map((number) => `${mark}_${number}`);

const plain = (text: string) => `s'${text.replaceAll("'", "''")}'`;
const key = (text: string) => JSON.stringify(text);

/** Every position where a query may contain a literal or name. */
const query = fc
  .record({
    id: name,
    source: name,
    item: name,
    result: name,
    others: name,
    text: hostile,
    path: hostile,
    pattern: hostile,
  })
  .map(
    ({ id, source, item, result, others, text, path, pattern }) => `${id} { -- ${mark}
      source { ALPHA ${source} with BETA b${others} on 'by name', array_to_rows(${source}.DOC:${key(path)}) as (i${item}) }
      filter { /* ${mark} */ ${source}.NAME = ${plain(text)} or ${source}.NAME like ${plain(`%${pattern}`)} or ${source}.NAME in (${plain(text)}, 'x')
        or i${item}:${key(path)}.${key(text)} = ${plain(path)} or contains(b${others}.NAME, ${plain(text)}) or true
        or ${source}.NAME in { source { BETA } filter { NAME <> ${plain(text)} or true } return { NAME } } }
      return { ${source}.NAME as r${result}, ${plain(text)} as t${result}, b${others}.NAME as o${result} } }`,
  );

let engine: SampleEngine;

beforeAll(async () => {
  engine = await SampleEngine.start(testCatalogue, doubleColumns);
  const row = (value: string) =>
    new Map<string, ReferenceValue>([
      ['ID', 1n],
      ['NAME', value],
    ]);
  const { account, start, end } = sampleBounds;
  for (const table of testCatalogue.names())
    await engine.fill(table, [
      { account, at: start, row: row('own') },
      { account, at: end, row: row('later') },
      { account, at: start - 1, row: row('earlier') },
      { account: 'other', at: start, row: row('foreign') },
    ]);
});

afterAll(() => engine.stop());

describe('literals of a query', () => {
  const options = { tables: sampleTables, bounds: sampleBounds, now: sampleNow };

  test('are bound, and expose no rows of other accounts and times', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const { query: checked, problems } = analyse(text, testCatalogue);
        if (!checked) throw new Error(problems.map(({ message }) => message).join(' '));
        for (const dialect of [duckdb, clickhouse]) {
          const { sql, parameters } = compile(checked, { ...options, dialect });
          expect(sql.toLowerCase()).not.toContain(mark);
          expect(parameters.join()).toContain(mark);
        }
        const rows = (await engine.answer(checked)).map((row) => Object.values(JSON.parse(row)));
        expect(rows).toHaveLength(1);
        expect(rows[0]).toEqual(['own', expect.stringContaining(mark), 'own']);
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 60) },
    );
  });

  test('never change the statement', () => {
    const asked = (value: string) => {
      const { query: checked } = analyse(
        `{ source { ALPHA } filter { NAME = ${plain(value)} } return { DOC:${key(value)} as X } }`,
        testCatalogue,
      );
      return checked && compile(checked, { ...options, dialect: duckdb }).sql;
    };
    fc.assert(
      fc.property(hostile, (value) => {
        expect(asked(value)).toBe(asked('plain'));
      }),
      { numRuns: 100 },
    );
  });
});
