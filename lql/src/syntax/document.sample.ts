import fc from 'fast-check';
import { isExpansion, isReserved, keywordOf } from './keywords.ts';

const noPosition = { start: 0, end: 0 };
const word = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/) },
  fc.constantFrom(
    'source',
    'Filter',
    'return',
    'distinct',
    'with',
    'on',
    'AS',
    'union',
    'all',
    'any',
    'json',
    's',
  ),
  fc.constantFrom(
    'and',
    'or',
    'not',
    'in',
    'like',
    'between',
    'IS',
    'null',
    'case',
    'when',
    'then',
    'end',
    'true',
  ),
);
const identifier = word.filter((word) => !isReserved(word));
const nameOf = (of: fc.Arbitrary<string>) => of.map((text) => ({ text, ...noPosition }));
const name = nameOf(identifier);
/** Excludes words that are parsed as literals or operators in expressions. */
const referable = nameOf(identifier.filter((word) => !/^(?:not|null|true|false)$/i.test(word)));
const functionName = nameOf(identifier.filter((word) => !keywordOf(word) && !isExpansion(word)));
const id = nameOf(
  identifier.filter((word) => !/^(?:union|select|from|where|join|group|having|order|limit)$/i.test(word)),
);

const content = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.includes('\0'));
const stringLiteral = fc.record({
  kind: fc.constant('string'),
  form: fc.constantFrom('plain', 'escaped', 'legacy'),
  value: fc.oneof(content, fc.constantFrom("it's", '\\', "\\'", '"', '\\n', 'a\nb', '--', '*/', '')),
  start: fc.constant(0),
  end: fc.constant(0),
});

const node = <T extends object>(kind: string, members: T) =>
  fc.record({ kind: fc.constant(kind), ...members, start: fc.constant(0), end: fc.constant(0) });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const some = <T>(of: fc.Arbitrary<T>, min = 1, max = 3) => fc.array(of, { minLength: min, maxLength: max });

const digits = fc.stringMatching(/^[0-9]{1,20}(?:\.[0-9]{1,5})?$/);
const literalWith = (number: fc.Arbitrary<string>) =>
  fc.oneof(
    stringLiteral,
    node('number', { digits: number }),
    node('boolean', { value: fc.boolean() }),
    node('null', {}),
  );
const key = fc.oneof(
  fc.record({ text: identifier, quoted: fc.constant(false), start: fc.constant(0), end: fc.constant(0) }),
  fc.record({ text: content, quoted: fc.constant(true), start: fc.constant(0), end: fc.constant(0) }),
);

/** Trees as the parser creates them, with all positions 0. */
export const documents = fc.letrec((tie) => {
  const value = tie('expression');
  const test = { negated: fc.boolean(), value };
  const rows = node('row', { values: some(value, 2) });
  const operations = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('value'),
    node('path', { of: value, keys: some(key) }),
    node('cast', { of: value, to: name }),
    node('call', { name: functionName, values: some(value, 0) }),
    node('case', {
      subject: maybe(value),
      // biome-ignore lint/suspicious/noThenProperty: so the tree calls it
      branches: some(fc.record({ when: value, then: value, start: fc.constant(0), end: fc.constant(0) })),
      otherwise: maybe(value),
    }),
    node('negative', { of: value }),
    node('arithmetic', {
      operator: fc.constantFrom('+', '-', '*', '/', '%', '||'),
      left: value,
      right: value,
    }),
    node('comparison', {
      operator: fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
      left: value,
      right: value,
    }),
    node('inList', {
      ...test,
      values: some(
        literalWith(
          fc.oneof(
            digits,
            digits.map((value) => `-${value}`),
          ),
        ),
      ),
    }),
    node('inBlock', { negated: fc.boolean(), value: fc.oneof(value, rows), block: tie('block') }),
    fc.boolean().chain((any) =>
      node('pattern', {
        operator: fc.constantFrom('like', 'ilike', 'rlike'),
        ...test,
        any: fc.constant(any),
        patterns: some(value, 1, any ? 3 : 1),
      }),
    ),
    node('between', { ...test, low: value, high: value }),
    node('nullTest', { ...test, json: fc.boolean() }),
    node('not', { of: value }),
    node('logical', { operator: fc.constantFrom('and', 'or'), values: some(value, 2) }),
  );
  const branch = fc.record({
    to: tie('connected'),
    on: maybe(stringLiteral),
    start: fc.constant(0),
    end: fc.constant(0),
  });
  const leaf = node('connected', { datasource: name, alias: maybe(name), branches: fc.constant([]) });
  return {
    expression: operations,
    value: fc.oneof(
      literalWith(digits),
      node('column', { source: fc.constant(undefined), column: referable }),
      node('column', { source: referable, column: name }),
    ),
    connected: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      node('connected', { datasource: name, alias: maybe(name), branches: some(branch, 1, 2) }),
    ),
    block: node('block', {
      sources: some(
        fc.oneof(
          tie('connected'),
          node('expansion', { nonEmpty: fc.boolean(), array: value, table: maybe(name), column: name }),
        ),
        1,
        2,
      ),
      filter: maybe(value),
      distinct: fc.boolean(),
      items: some(fc.oneof(node('all', { of: name }), node('value', { value, alias: maybe(name) })), 1, 3),
    }),
    document: fc.record({
      id: maybe(id),
      body: fc.oneof(tie('block'), node('union', { all: fc.boolean(), blocks: some(tie('block'), 1, 2) })),
      start: fc.constant(0),
      end: fc.constant(0),
    }),
  };
}).document;
