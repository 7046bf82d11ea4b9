import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import { evaluateQuery, type Row } from '../../reference/evaluate.ts';
import { parseJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import { doubleColumns, testCatalogue } from '../../reference/tables.sample.ts';
import type { ReferenceValue } from '../../reference/values.ts';
import { SampleEngine, sampleNow } from './engine.sample.ts';

const alpha = [1n, 2n, 3n, null].map(
  (id) =>
    new Map<string, ReferenceValue>([
      ['ID', id],
      ['NAME', id === null ? null : `name ${id}`],
    ]),
);
const beta = (
  [
    [1n, 'early', 1_000, 1],
    [1n, 'late', 3_000, 2],
    [1n, 'between', 2_000, 3],
    [2n, 'only', 1_000, 2],
    [null, 'nobody', 9_000, 2],
    [3n, 'once', null, 3],
    [3n, 'at last', 5, 3],
  ] as const
).map(
  ([id, name, at, of]) =>
    new Map<string, ReferenceValue>([
      ['ID', id],
      ['NAME', name],
      ['AT', at],
      ['DOC', parseJson(`{"a": "name ${of}"}`)],
    ]),
);
const tables: Readonly<Record<string, readonly Row[]>> = { ALPHA: alpha, BETA: beta };

let engine: SampleEngine;
beforeAll(async () => {
  engine = await SampleEngine.start(testCatalogue, doubleColumns);
  for (const [name, rows] of Object.entries(tables)) {
    const ownRows = rows.map((row) => ({ account: 'own', at: 1, row }));
    const foreignRows = rows.map((row) => ({
      account: 'other',
      at: 1,
      row: new Map([...row, ['AT', 99_000]]),
    }));
    await engine.fill(name, [...ownRows, ...foreignRows]);
  }
});
afterAll(() => engine.stop());

test.for<[string, readonly string[]]>([
  ['(default)', ['1 early', '1 late', '1 between', '2 only', '3 once', '3 at last', '- -']],
  ['last', ['1 late', '2 only', '3 at last', '- -']],
  ['last by string', ['1 early', '2 nobody', '3 between', '- -']],
])('joins rows by %s', async ([on, expected]) => {
  const text = `{ source { ALPHA a with BETA b on '${on}' } return {
    coalesce(a.ID::String, '-') || ' ' || coalesce(b.NAME, '-') as R } }`;
  const { query, problems } = analyse(text, testCatalogue);
  if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
  const rows = expected.map((row) => JSON.stringify({ R: row })).sort();
  const context = { rows: (name: string) => tables[name] ?? [], now: sampleNow, matches: fullMatch };
  expect(evaluateQuery(query, context).sort()).toEqual(rows);
  expect((await engine.execute(query)).sort()).toEqual(rows);
});
