import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../analyse.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { functions } from '../../catalogue/functions.ts';
import { evaluateQuery } from '../../reference/evaluate.ts';
import { expected } from '../../reference/expected.sample.ts';
import { parseJson, writeJson } from '../../reference/json.ts';
import { fullMatch } from '../../reference/pattern.sample.ts';
import type { ReferenceValue } from '../../reference/values.ts';
import { SampleEngine, sampleNow } from './engine.sample.ts';

/** One row with a value of each type. */
const row = new Map<string, ReferenceValue>([
  ['TEXT', 'Grüße 😀'],
  ['BIG', 9007199254740993n],
  ['HALF', 2.5],
  ['AT', Date.UTC(2024, 0, 31, 23, 59, 58, 765)],
  [
    'DOC',
    parseJson(
      '{"s":"abc","n":5,"big":9007199254740993,"f":-1.5,"t":true,"no":null,"l":[1,"1",null,true,{"k":2}],"e":[],"o":{"z":1,"a":[2]},"when":"2024-05-01","no such":{"a.b":{"":7}},"text":" 12 ","yes":"TRUE"}',
    ),
  ],
]);

const catalogue: Catalogue = {
  find: (name) =>
    name === 'T'
      ? {
          name,
          description: 'One row.',
          relationships: [],
          columns: [
            { name: 'TEXT', type: 'String' },
            { name: 'BIG', type: 'Number' },
            { name: 'HALF', type: 'Number' },
            { name: 'AT', type: 'Timestamp' },
            { name: 'DOC', type: 'Json' },
          ],
        }
      : undefined,
  names: () => ['T'],
};

let engine: SampleEngine;
/** Results of the engine and the reference for each expression. Many share a statement, because planning is slow. */
const results = new Map<string, { readonly engine: unknown; readonly evaluator: unknown }>();

const isTest = (expression: string) =>
  ['true', 'false', 'unknown'].includes(expected[expression] ?? '') && expression !== 'true::Json';

beforeAll(async () => {
  engine = await SampleEngine.start(catalogue, ['HALF']);
  await engine.fill('T', [{ account: 'own', at: 1, row }]);
  const expressions = Object.keys(expected);
  for (let from = 0; from < expressions.length; from += 40)
    await evaluateBatch(expressions.slice(from, from + 40));
});

afterAll(() => engine.stop());

async function evaluateBatch(expressions: readonly string[]): Promise<void> {
  const columns = expressions.map((expression, at) => {
    const truthValue = `case when ${expression} then 'true' when not (${expression}) then 'false' else 'unknown' end`;
    return `${isTest(expression) ? truthValue : expression} as X${at}`;
  });
  const { query, problems } = analyse(`{ source { T } return { ${columns.join(', ')} } }`, catalogue);
  if (!query) throw new Error(problems.map(({ message }) => message).join(' '));
  const [fromEngine = ''] = await engine.execute(query);
  const [fromEvaluator = ''] = evaluateQuery(query, {
    rows: () => [row],
    now: sampleNow,
    matches: fullMatch,
  });
  const [left, right] = [membersOf(fromEngine), membersOf(fromEvaluator)];
  expressions.forEach((expression, at) => {
    results.set(expression, { engine: left.get(`X${at}`), evaluator: right.get(`X${at}`) });
  });
}

/** Members of an object as raw JSON. */
function membersOf(text: string): ReadonlyMap<string, string> {
  const json = parseJson(text);
  const members = json?.kind === 'object' ? [...json.members] : [];
  return new Map(members.map(([name, value]) => [name, writeJson(value)]));
}

describe('expressions', () => {
  test.for(Object.entries(expected))('%s is %s', ([expression, value]) => {
    const text = isTest(expression) ? JSON.stringify(value) : value;
    expect(results.get(expression)).toEqual({ engine: text, evaluator: text });
  });

  test('cover every function', () => {
    const tested = Object.keys(expected).join(' ');
    const untested = Object.keys(functions).filter((name) => !tested.includes(`${name}(`));
    expect(untested).toEqual([]);
  });
});
