import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateQuery, type Row } from '../../reference/evaluate.ts';
import { parseJson, writeJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import { query } from '../../reference/query.sample.ts';
import { doubleColumns, rowsByDatasource, testCatalogue } from '../../reference/tables.sample.ts';
import { SampleEngine, type StoredRow, sampleBounds, sampleNow } from './engine.sample.ts';

const numRuns = Number(process.env.VEDETTE_FUZZ ?? 200);
const seed = process.env.VEDETTE_SEED;

let engine: SampleEngine;

beforeAll(async () => {
  engine = await SampleEngine.start(testCatalogue, doubleColumns);
});

afterAll(() => engine.stop());

test('the engine and the reference implementation return the same rows', {
  timeout: 120_000 + numRuns * 400,
}, async () => {
  await fc.assert(
    fc.asyncProperty(rowsByDatasource, rowsByDatasource, query, async (tables, foreignRows, checkedQuery) => {
      for (const [name, rows] of tables)
        await engine.fill(name, withHiddenRows(rows, foreignRows.get(name) ?? []));
      const expected = evaluateQuery(checkedQuery, {
        rows: (datasource) => tables.get(datasource) ?? [],
        now: sampleNow,
        matches: fullMatch,
      });
      expect(normalized(await engine.execute(checkedQuery))).toEqual(normalized(expected));
    }),
    { numRuns, ...(seed ? { seed: Number(seed) } : {}) },
  );
});

/** Own rows mixed with rows of other accounts and times. */
function withHiddenRows(rows: readonly Row[], foreignRows: readonly Row[]): StoredRow[] {
  const { account, start, end } = sampleBounds;
  const hiddenBounds = [
    { account: `${account}x`, at: start },
    { account, at: start - 1 },
    { account, at: end },
  ];
  return [
    ...rows.map((row, at) => ({ account, at: at % 2 === 0 ? start : end - 1, row })),
    ...foreignRows.flatMap((row) => hiddenBounds.map((bound) => ({ ...bound, row }))),
  ];
}

/** Sorted, with normalised white space and escapes. */
function normalized(rows: readonly string[]): string[] {
  return rows
    .map((row) => {
      const json = parseJson(row);
      const text = json ? writeJson(json) : `no JSON: ${row}`;
      // Some doubles have two shortest representations.
      return text.replace(/-?\d+\.\d+(e[+-]?\d+)?/g, (number) => String(Number(number)));
    })
    .sort();
}
