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
import { faultsOf } from './soundness.sample.ts';

const runs = Number(process.env.VEDETTE_FUZZ ?? 4_000);

/** Violated invariants of an analysis. */
function fault(text: string): string | undefined {
  const { document, query, problems } = analyse(text, sampleCatalogue);
  const isRefused = problems.some(({ severity }) => severity === 'error');
  if ((query === undefined) !== isRefused) return 'a query and an error, or neither';
  const all = document && query ? [...problems, ...policyProblems(document, query)] : problems;
  for (const { message, fix, ...span } of all)
    for (const { start, end } of fix ? [span, fix] : [span])
      if (!(start >= 0 && start <= end && end <= text.length)) return `${message} at ${start} to ${end}`;
  if (/undefined|\[object|NaN/.test(report('', problems))) return 'a message without its words';
  return query && faultsOf(query)[0];
}

/** A generated tree, mostly with names of the catalogue. */
function familiar(node: unknown, member = ''): unknown {
  if (Array.isArray(node)) return node.map((one) => familiar(one, member));
  if (typeof node !== 'object' || node === null) return node;
  const changed = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, familiar(value, name === 'name' ? 'call' : name)]),
  );
  if (!('text' in changed)) return changed;
  const known = names[member];
  const text = String(changed.text);
  const sum = [...text].reduce((total, letter) => total + letter.charCodeAt(0), 0);
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
      const found = fault(text);
      if (found) expect.fail(`seed ${seed}: ${found}\n${text}`);
    }
  });

  test('handles any tree', { timeout: 120_000 + runs }, () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = print(familiar(document) as Document);
        expect({ text, fault: fault(text) }).toEqual({ text, fault: undefined });
      }),
      { numRuns: runs / 20 },
    );
  });
});

type Kind = 'string' | 'number' | 'timestamp' | 'json' | 'boolean';

/** Expressions by type, over a CloudTrail event and an item `x` of it. */
const expressions = fc.letrec<Record<Kind, string>>((tie) => {
  const of = (kind: Kind) => tie(kind);
  const form = (...parts: readonly (string | fc.Arbitrary<string>)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((all) => all.join(''));
  const pick = (...words: readonly string[]) => fc.constantFrom(...words);
  const choice = (first: fc.Arbitrary<string>, ...more: readonly fc.Arbitrary<string>[]) =>
    fc.oneof({ depthSize: 'small', withCrossShrink: true }, first, ...more);
  const either = (kind: Kind) =>
    fc.oneof({ weight: 3, arbitrary: of(kind) }, of('json'), fc.constant('null'));
  const chosen = (kind: Kind) => [
    form('case when ', either('boolean'), ' then ', of(kind), ' else ', either(kind), ' end'),
    form(
      'case ',
      either('number'),
      ' when ',
      of('json'),
      ' then ',
      either(kind),
      ' when 1 then ',
      of(kind),
      ' end',
    ),
    form('coalesce(', of(kind), ', ', either(kind), ')'),
  ];
  const cast = (from: Kind, to: string) => form('(', of(from), ')::', to);
  return {
    string: choice(
      pick('EVENT_NAME', 'e.ERROR_CODE', "'a'", "s'b''c'", '"d"'),
      form('(', either('string'), ' || ', either('string'), ')'),
      form(pick('lower', 'trim', 'ip_address'), '(', either('string'), ')'),
      form('substring(', either('string'), ', ', either('number'), ')'),
      ...(['number', 'json', 'timestamp'] as const).map((kind) => cast(kind, 'String')),
      ...chosen('string'),
    ),
    number: choice(
      pick('INSERT_ID', '1', '2.5', 'current_timestamp_sec()'),
      form('(', either('number'), pick(' + ', ' * ', ' / ', ' % '), either('number'), ')'),
      form('(-', either('number'), ')'),
      form(pick('day_part', 'epoch_ms'), '(', of('timestamp'), ')'),
      form('char_index(', either('string'), ', ', either('string'), ', ', either('number'), ')'),
      ...(['string', 'json'] as const).map((kind) => cast(kind, 'Number')),
      ...chosen('number'),
    ),
    timestamp: choice(
      pick('EVENT_TIME', 'e.INSERT_TIME'),
      form('add_days(', either('number'), ', ', either('timestamp'), ')'),
      ...(['string', 'number', 'json'] as const).map((kind) => cast(kind, 'Timestamp')),
      ...chosen('timestamp'),
    ),
    json: choice(
      pick('EVENT', 'x', 'EVENT:a.b', 'e.EVENT:"c-d"'),
      form('to_json(', either('string'), '):k'),
      ...(['string', 'number', 'boolean', 'timestamp'] as const).map((kind) => cast(kind, 'Json')),
      ...chosen('json'),
    ),
    boolean: choice(
      pick('true', 'value_exists(EVENT:a)', '(ERROR_CODE is null)'),
      ...(['string', 'number', 'timestamp', 'json'] as const).map((kind) =>
        form('(', of(kind), pick(' = ', ' < ', ' >= '), either(kind), ')'),
      ),
      form('(', of('boolean'), ' <> ', either('boolean'), ')'),
      form('(', of('number'), ' between ', either('number'), ' and ', of('number'), ')'),
      form('(', either('string'), pick(' like ', ' not ilike '), either('string'), ')'),
      form('(', of('string'), ' not in (\'a\', "b"))'),
      form('(', of('json'), ' in (1, -2))'),
      form('((', of('json'), ', ', of('number'), ') in { source { LW_HE_USERS } return { USERNAME, MID } })'),
      form('(', either('string'), ' in { source { LW_HE_USERS } return { OTHER_GROUP_NAMES } })'),
      form('(', either('boolean'), pick(' and ', ' or '), either('boolean'), ')'),
      form('(not ', either('boolean'), ')'),
      form('any_in_array(', either('json'), ', ', either('string'), ', ', of('string'), ')'),
      ...chosen('boolean'),
    ),
  };
});

test('well-typed queries are accepted and satisfy the invariants of a checked query', {
  timeout: 120_000 + runs,
}, () => {
  fc.assert(
    fc.property(expressions.boolean, expressions.string, expressions.json, (condition, value, list) => {
      const text = `{ source { CloudTrailRawEvents e, array_to_rows(EVENT:list) as (x), array_to_rows(${list}) y } filter { ${condition} } return { ${value} as A, y } }`;
      const { query, problems } = analyse(text, sampleCatalogue);
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(report(text, errors)).toBe('');
      expect(query && faultsOf(query)).toEqual([]);
    }),
    { numRuns: runs / 20 },
  );
});
