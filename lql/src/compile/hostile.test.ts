import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { doubleColumns, testCatalogue } from '../reference/tables.sample.ts';
import type { ReferenceValue } from '../reference/values.ts';
import { clickhouse } from './clickhouse/clickhouse.ts';
import { compile } from './compile.ts';
import { duckdb } from './duckdb/duckdb.ts';
import { SampleEngine, sampleBounds, sampleNow, sampleTables } from './duckdb/engine.sample.ts';

const marker = 'zq9';
const fragments = [
  ...["'", '"', "''", '\\', '\\\\', '--', '/*', '*/', ';', '$1', '{p1:String}', '`', '\n', '’', ')', '}'],
  ...[' or 1=1', ' union all select * from "ALPHA"', '::VARCHAR', '~1', '/', '$.*', '*', '0'],
];
/** SQL injection payloads that are recognisable in a statement. */
const payload = fc
  .array(fc.constantFrom(...fragments), { maxLength: 4 })
  .map((parts) => `${marker}${parts.join(marker)}`);
const name = fc.nat(99).map((number) => `${marker}_${number}`);

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
    text: payload,
    path: payload,
    pattern: payload,
  })
  .map(
    ({ id, source, item, result, others, text, path, pattern }) => `${id} { -- ${marker}
      source { ALPHA ${source} with BETA b${others} on 'by name', array_to_rows(${source}.DOC:${key(path)}) as (i${item}) }
      filter { /* ${marker} */ ${source}.NAME = ${plain(text)} or ${source}.NAME like ${plain(`%${pattern}`)} or ${source}.NAME in (${plain(text)}, 'x')
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
          expect(sql.toLowerCase()).not.toContain(marker);
          expect(parameters.join()).toContain(marker);
        }
        const rows = (await engine.execute(checked)).map((row) => Object.values(JSON.parse(row)));
        expect(rows).toHaveLength(1);
        expect(rows[0]).toEqual(['own', expect.stringContaining(marker), 'own']);
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 60) },
    );
  });

  test('never change the statement', () => {
    const statementOf = (value: string) => {
      const { query: checked } = analyse(
        `{ source { ALPHA } filter { NAME = ${plain(value)} } return { DOC:${key(value)} as X } }`,
        testCatalogue,
      );
      return checked && compile(checked, { ...options, dialect: duckdb }).sql;
    };
    fc.assert(
      fc.property(payload, (value) => {
        expect(statementOf(value)).toBe(statementOf('plain'));
      }),
      { numRuns: 100 },
    );
  });
});
