import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import { evaluateQuery } from '../../reference/evaluate.ts';
import { parseJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import { doubleColumns, testCatalogue } from '../../reference/tables.sample.ts';
import type { ReferenceValue } from '../../reference/values.ts';
import { SampleEngine, sampleNow } from './engine.sample.ts';

const documents = [
  '{"list": [{"k": [1, 2]}, {"k": []}]}',
  '{"list": []}',
  '{"list": null}',
  '{"list": "text"}',
  '{"list": [null, 7]}',
  '{}',
];
const rows = documents.map(
  (text, at) =>
    new Map<string, ReferenceValue>([
      ['ID', BigInt(at)],
      ['DOC', parseJson(text)],
    ]),
);

let engine: SampleEngine;

beforeAll(async () => {
  engine = await SampleEngine.start(testCatalogue, doubleColumns);
  await engine.fill(
    'ALPHA',
    rows.map((row) => ({ account: 'own', at: 1, row })),
  );
});

afterAll(() => engine.stop());

const outer = 'array_to_rows(DOC:list) as (i)';
const inner = 'array_to_rows_non_empty(DOC:list) as (i)';

test.for<[string, string, readonly string[]]>([
  [outer, 'true', ['0 {"k":[1,2]}', '0 {"k":[]}', '1 -', '2 -', '3 -', '4 7', '4 null', '5 -']],
  [inner, 'true', ['0 {"k":[1,2]}', '0 {"k":[]}', '4 7', '4 null']],
  [outer, 'i = 7', ['4 7']],
  [outer, 'i = 7 or ID = 1', ['1 -', '4 7']],
  [outer, 'not (i = 7)', []],
  [outer, 'i is null', ['1 -', '2 -', '3 -', '5 -']],
  [outer, 'i is json null', ['4 null']],
  [outer, "coalesce(i:k::String, 'none') = 'none' and ID > 3", ['4 7', '4 null', '5 -']],
  [outer, 'i in (7, 8) and ID > 4', []],
  [outer, "i like '%7%' and ID > 3", ['4 7']],
  [
    `${outer}, array_to_rows(i:k) as (j)`,
    'true',
    ['0 1', '0 2', '0 -', '1 -', '2 -', '3 -', '4 -', '4 -', '5 -'],
  ],
  [`${outer}, array_to_rows(i:k) as (j)`, 'j > 1', ['0 2']],
  [`${outer}, array_to_rows(i:k) as (j)`, 'j > 1 or ID = 5', ['0 2', '5 -']],
  [`${outer}, array_to_rows_non_empty(i:k) as (j)`, 'true', ['0 1', '0 2']],
  [`${inner}, ${outer.replace('(i)', '(j)')}`, 'ID = 4', ['4 7', '4 7', '4 null', '4 null']],
])('%s where %s', async ([sources, filter, expected]) => {
  const item = sources.includes('(j)') ? 'j' : 'i';
  const { query, problems } = analyse(
    `{ source { ALPHA, ${sources} } filter { ${filter} } return { ID, ${item} as ITEM } }`,
    testCatalogue,
  );
  if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
  const referenceRows = evaluateQuery(query, { rows: () => rows, now: sampleNow, matches: fullMatch });
  const expectedRows = expected.map((row) => {
    const [id, ...value] = row.split(' ');
    return `{"ID":${id},"ITEM":${value.join(' ').replace(/^-$/, 'null')}}`;
  });
  expect((await engine.execute(query)).sort()).toEqual(expectedRows.toSorted());
  expect(referenceRows.sort()).toEqual(expectedRows.toSorted());
});
