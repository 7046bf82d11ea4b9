import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { sampleCatalogue } from '../catalogue/catalogue.sample.ts';
import { functions } from '../catalogue/functions.ts';
import { documents } from '../syntax/document.sample.ts';
import { anyInput } from '../syntax/fuzz.sample.ts';
import { print } from '../syntax/printer.ts';
import type { Document } from '../syntax/tree.ts';
import { report } from '../text/report.ts';
import { policyProblems } from './policy.ts';
import { violationsOf } from './soundness.sample.ts';

const runs = Number(process.env.VEDETTE_FUZZ ?? 4_000);

/** Violated invariants of an analysis. */
function violationOf(text: string): string | undefined {
  const { document, query, problems } = analyse(text, sampleCatalogue);
  const hasError = problems.some(({ severity }) => severity === 'error');
  if ((query === undefined) !== hasError) return 'a query and an error, or neither';
  const all = document && query ? [...problems, ...policyProblems(document, query)] : problems;
  for (const { message, fix, ...span } of all)
    for (const { start, end } of fix ? [span, fix] : [span])
      if (!(start >= 0 && start <= end && end <= text.length)) return `${message} at ${start} to ${end}`;
  if (/undefined|\[object|NaN/.test(report('', problems))) return 'an incomplete message';
  return query && violationsOf(query)[0];
}

/** A generated tree, mostly with names of the catalogue. */
function withCatalogueNames(node: unknown, member = ''): unknown {
  if (Array.isArray(node)) return node.map((one) => withCatalogueNames(one, member));
  if (typeof node !== 'object' || node === null) return node;
  const changed = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      withCatalogueNames(value, name === 'name' ? 'call' : name),
    ]),
  );
  if (!('text' in changed)) return changed;
  const known = names[member];
  const text = String(changed.text);
  const sum = [...text].reduce((total, character) => total + character.charCodeAt(0), 0);
  return known && sum % 16 ? { ...changed, text: known[sum % known.length] } : changed;
}

const names: Record<string, readonly string[]> = {
  datasource: [...sampleCatalogue.names()],
  alias: ['a', 'b', 'c', 'd'],
  source: ['a', 'b', 'c'],
  of: ['a', 'b', 'c'],
  column: ['MID', 'USERNAME', 'EVENT', 'EVENT_TIME', 'RESOURCE_CONFIG', 'item', 'TAGS', 'PATH'],
  call: Object.keys(functions),
  to: ['String', 'number', 'Json', 'Timestamp', 'BOOLEAN'],
};

describe('the check', () => {
  test('handles any input', { timeout: 120_000 + runs * 5 }, () => {
    for (let seed = 0; seed < runs; seed++) {
      const text = anyInput(seed);
      const violation = violationOf(text);
      if (violation) expect.fail(`seed ${seed}: ${violation}\n${text}`);
    }
  });

  test('handles any tree', { timeout: 120_000 + runs }, () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = print(withCatalogueNames(document) as Document);
        expect({ text, violation: violationOf(text) }).toEqual({ text, violation: undefined });
      }),
      { numRuns: runs / 20 },
    );
  });
});

type Kind = 'string' | 'number' | 'timestamp' | 'json' | 'boolean';

/** Expressions by type, over a CloudTrail event and an item `x` of it. */
const expressions = fc.letrec<Record<Kind, string>>((tie) => {
  const of = (kind: Kind) => tie(kind);
  const concat = (...parts: readonly (string | fc.Arbitrary<string>)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((all) => all.join(''));
  const oneOf = (...values: readonly string[]) => fc.constantFrom(...values);
  const choice = (first: fc.Arbitrary<string>, ...more: readonly fc.Arbitrary<string>[]) =>
    fc.oneof({ depthSize: 'small', withCrossShrink: true }, first, ...more);
  const convertible = (kind: Kind) =>
    fc.oneof({ weight: 3, arbitrary: of(kind) }, of('json'), fc.constant('null'));
  const conditional = (kind: Kind) => [
    concat('case when ', convertible('boolean'), ' then ', of(kind), ' else ', convertible(kind), ' end'),
    concat(
      'case ',
      convertible('number'),
      ' when ',
      of('json'),
      ' then ',
      convertible(kind),
      ' when 1 then ',
      of(kind),
      ' end',
    ),
    concat('coalesce(', of(kind), ', ', convertible(kind), ')'),
  ];
  const cast = (from: Kind, to: string) => concat('(', of(from), ')::', to);
  return {
    string: choice(
      oneOf('EVENT_NAME', 'e.ERROR_CODE', "'a'", "s'b''c'", '"d"'),
      concat('(', convertible('string'), ' || ', convertible('string'), ')'),
      concat(oneOf('lower', 'trim', 'ip_address'), '(', convertible('string'), ')'),
      concat('substring(', convertible('string'), ', ', convertible('number'), ')'),
      ...(['number', 'json', 'timestamp'] as const).map((kind) => cast(kind, 'String')),
      ...conditional('string'),
    ),
    number: choice(
      oneOf('INSERT_ID', '1', '2.5', 'current_timestamp_sec()'),
      concat('(', convertible('number'), oneOf(' + ', ' * ', ' / ', ' % '), convertible('number'), ')'),
      concat('(-', convertible('number'), ')'),
      concat(oneOf('day_part', 'epoch_ms'), '(', of('timestamp'), ')'),
      concat(
        'char_index(',
        convertible('string'),
        ', ',
        convertible('string'),
        ', ',
        convertible('number'),
        ')',
      ),
      ...(['string', 'json'] as const).map((kind) => cast(kind, 'Number')),
      ...conditional('number'),
    ),
    timestamp: choice(
      oneOf('EVENT_TIME', 'e.INSERT_TIME'),
      concat('add_days(', convertible('number'), ', ', convertible('timestamp'), ')'),
      ...(['string', 'number', 'json'] as const).map((kind) => cast(kind, 'Timestamp')),
      ...conditional('timestamp'),
    ),
    json: choice(
      oneOf('EVENT', 'x', 'EVENT:a.b', 'e.EVENT:"c-d"'),
      concat('to_json(', convertible('string'), '):k'),
      ...(['string', 'number', 'boolean', 'timestamp'] as const).map((kind) => cast(kind, 'Json')),
      ...conditional('json'),
    ),
    boolean: choice(
      oneOf('true', 'value_exists(EVENT:a)', '(ERROR_CODE is null)'),
      ...(['string', 'number', 'timestamp', 'json'] as const).map((kind) =>
        concat('(', of(kind), oneOf(' = ', ' < ', ' >= '), convertible(kind), ')'),
      ),
      concat('(', of('boolean'), ' <> ', convertible('boolean'), ')'),
      concat('(', of('number'), ' between ', convertible('number'), ' and ', of('number'), ')'),
      concat('(', convertible('string'), oneOf(' like ', ' not ilike '), convertible('string'), ')'),
      concat('(', of('string'), ' not in (\'a\', "b"))'),
      concat('(', of('json'), ' in (1, -2))'),
      concat(
        '((',
        of('json'),
        ', ',
        of('number'),
        ') in { source { LW_HE_USERS } return { USERNAME, MID } })',
      ),
      concat('(', convertible('string'), ' in { source { LW_HE_USERS } return { OTHER_GROUP_NAMES } })'),
      concat('(', convertible('boolean'), oneOf(' and ', ' or '), convertible('boolean'), ')'),
      concat('(not ', convertible('boolean'), ')'),
      concat('any_in_array(', convertible('json'), ', ', convertible('string'), ', ', of('string'), ')'),
      ...conditional('boolean'),
    ),
  };
});

test('well-typed queries are accepted and satisfy the invariants of a checked query', {
  timeout: 120_000 + runs,
}, () => {
  fc.assert(
    fc.property(expressions.boolean, expressions.string, expressions.json, (condition, value, array) => {
      const text = `{ source { CloudTrailRawEvents e, array_to_rows(EVENT:list) as (x), array_to_rows(${array}) y } filter { ${condition} } return { ${value} as A, y } }`;
      const { query, problems } = analyse(text, sampleCatalogue);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(report(text, errors)).toBe('');
      expect(query && violationsOf(query)).toEqual([]);
    }),
    { numRuns: runs / 20 },
  );
});
