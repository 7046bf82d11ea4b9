import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filtersOn, isAccepted } from '../../../search/filter.sample.ts';
import { type FilterBody, type FilterValue, readFilter } from '../../../search/filter.ts';
import { parsePath, reach } from '../../../search/path.ts';
import type { ApiRecord } from '../../../search/record.ts';
import { textOf } from '../../../search/scalar.ts';
import { sample, sampleFields } from '../dataset.sample.ts';
import { type Document, SampleTable } from '../table.sample.ts';
import { compileFilter } from './filter-sql.ts';
import { sql } from './sql.ts';

let table: SampleTable;

beforeAll(async () => {
  table = await SampleTable.create();
});

afterAll(() => table.close());

/** Few characters, so that strings match; each is special to JSON, patterns, UTF-16 or letter case. */
const characters = [
  ...'aAb1. éÉİiIıσΣςkK\u212asſ\n\t\u0001\u001f\u007f%_*?[]^$|\\/"\'\ue000\ufffd\uffff\u{10000}😀',
];
const string = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'A', 'b', '😀', '\uffff'), maxLength: 2 }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...characters), maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('true', 'FALSE', '0', '1', '1.5', '-1', 'null', '1.0', '[1]', '\\u001F'),
  },
);
const number = fc.constantFrom(
  ...[0, -0, 1, -1, 1.5, 2, 10, 0.1, 100, 1e20, 1e21, 123456789012345680000, 1e-6, 1e-7, 1.5e-10, 5e-324],
  ...[1.7976931348623157e308, 2 ** 53 - 1, 0.30000000000000004, -1234.5678],
);
const safe = fc.constantFrom(0, 1, -1, 2, 10, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
const large = [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), 1n - 2n ** 63n];
const integer = fc.oneof(safe, fc.constantFrom(...large));
const instant = fc.constantFrom(
  ...[
    '2024-05-01T00:00:00.000Z',
    '2024-05-01T00:00:00.001Z',
    '2024-05-01T02:00:00+02:00',
    '1969-12-31T23:59:59Z',
  ],
);
const scalar = fc.oneof(string, number, integer, fc.constant(2n ** 64n - 1n), fc.boolean());
const memberName = fc.constantFrom(
  'a',
  'b',
  'a.b',
  '__proto__',
  'x:y/"z"',
  '*',
  '',
  '\\',
  "'",
  'é😀',
  '$',
  '[0]',
  '~1',
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(memberName, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Mostly of the declared type. */
const mostly = (declared: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: declared }, { weight: 1, arbitrary: json });
const optional = { requiredKeys: [], noNullPrototype: true };
const key = fc.record(
  {
    text: mostly(string),
    count: mostly(integer),
    size: mostly(number),
    isOpen: mostly(fc.boolean()),
    time: mostly(instant),
    list: json,
    deep: mostly(fc.record({ 'a.b': mostly(string) }, optional)),
    free: json,
  },
  optional,
);
const record = fc.record(
  {
    startTime: instant,
    text: fc.option(string),
    count: fc.option(integer),
    size: fc.option(number),
    isOpen: fc.option(fc.boolean()),
    key: mostly(key),
    other: json,
  },
  { requiredKeys: ['startTime'], noNullPrototype: true },
);

/** The same JSON with other whitespace, escapes and number formats. */
function serialize(value: unknown, spelling: number): string {
  const space = spelling % 2 === 1 ? ' ' : '';
  if (typeof value === 'string') {
    const plain = JSON.stringify(value);
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return spelling > 1 ? plain.replace(/[^\x20-\x7e]|\bA\b/g, escaped).replaceAll('/', '\\/') : plain;
  }
  if (typeof value === 'number') return serializeNumber(value, spelling);
  if (typeof value !== 'object' || value === null) return textOf(value);
  if (Array.isArray(value))
    return `[${space}${value.map((element) => serialize(element, spelling)).join(`${space},`)}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${serialize(name, spelling)}${space}:${serialize(member, spelling)}`,
  );
  return `{${space}${members.join(`,${space}`)}}`;
}

function serializeNumber(value: number, spelling: number): string {
  const plain = Object.is(value, -0) ? '-0' : JSON.stringify(value);
  if (spelling === 2 && !plain.includes('e')) return plain.includes('.') ? `${plain}0` : `${plain}.0`;
  return spelling === 3 ? value.toExponential() : plain;
}

const documents = fc
  .array(fc.tuple(record, fc.nat({ max: 3 })), { minLength: 4, maxLength: 16 })
  .map((list) =>
    list.map(([members, spelling], id): Document => {
      const record: ApiRecord = { id, ...members };
      return { record, doc: serialize(record, spelling) };
    }),
  );

const step = fc.constantFrom(
  ...[
    '.a',
    '.b',
    '."a.b"',
    '.__proto__',
    '."x:y/\\"z\\""',
    '."*"',
    '.""',
    '."\\\\"',
    ".'",
    '.é😀',
    '.$',
    '."[0]"',
  ],
  ...['."~1"', '."0"', '[0]', '[0]', '[1]', '[999999999]'],
);
const steps = (start: string) => fc.array(step, { maxLength: 2 }).map((steps) => `${start}${steps.join('')}`);
const field = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('text', 'count', 'size', 'isOpen', 'startTime') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'key.text',
      'key.count',
      'key.size',
      'key.isOpen',
      'key.time',
      'key.deep."a.b"',
      'key',
    ),
  },
  { weight: 3, arbitrary: fc.oneof(steps('key.list'), steps('key.free'), steps('other'), steps('key.text')) },
);

const expressions = fc.constantFrom(
  ...[
    '.*',
    '.*a.*',
    '(?i)a.',
    '.',
    '[^a]*',
    'true|1',
    '\\W.*',
    '(?i)[kσ].*',
    '(?<n>a)|[(?<n>]',
    '\\d+',
    '(?-s).+',
  ],
  ...['.*e\\+.*', '.*[0-9]', '\\[.*', '(?i)[[:upper:]]', '\\p{Greek}', '\\Qa\\E|.😀'],
);
const pattern = fc
  .array(fc.oneof(fc.constantFrom('%', '_'), string), { maxLength: 4 })
  .map((parts) => parts.join(''));
const numeric = fc.oneof(
  number,
  safe,
  fc.constantFrom(
    ...large.map(String),
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551615',
  ),
  fc.constantFrom('0', '1.5', '1e999', '-1e999', '1e-999', '1.0', '9007199254740992.5', true),
);
const given = fc.oneof(string, number, fc.boolean());

/** Values of every type for every field, mostly of the field's own. */
function valueFor(name: string, expression: string): fc.Arbitrary<FilterValue> {
  if (expression.endsWith('rlike')) return expressions;
  if (expression.endsWith('like')) return fc.oneof({ weight: 4, arbitrary: pattern }, given);
  const own: Record<string, fc.Arbitrary<FilterValue>> = {
    text: given,
    count: numeric,
    size: numeric,
    isOpen: fc.constantFrom(true, false, 'True', 'false', '0', '1', 0, 1),
    startTime: fc.oneof(instant, fc.constantFrom('2024-05-01', '2024-05-01T01')),
  };
  return own[name] ?? fc.oneof(given, numeric, instant, own[name.replace('key.', '')] ?? given);
}

const filter = filtersOn(sampleFields, field, valueFor);

/** The filter with a value from a stored record, in another form, so that rare values match too. */
function withStoredValue(body: FilterBody, stored: readonly Document[], choice: number): FilterBody {
  const path = parsePath(body.field);
  const held = stored
    .map(({ record }) => reach(record, [path?.field ?? '', ...(path?.steps ?? [])]))
    .filter((value) => value !== undefined && value !== null);
  const chosen = held[choice % held.length];
  const value = textOf((isPattern(body) ? undefined : [chosen].flat()[0]) ?? chosen ?? '');
  const aimed =
    body.values?.length && body.expression !== 'between'
      ? { ...body, values: [...body.values, value] }
      : {
          ...body,
          ...(body.value !== undefined && {
            value: isPattern(body) ? toPattern(value, body, choice) : value,
          }),
        };
  return chosen !== undefined && isAccepted(aimed, sampleFields) ? aimed : body;
}

const isPattern = ({ expression }: FilterBody) => expression.endsWith('like');

function toPattern(value: string, { expression }: FilterBody, choice: number): string {
  const units = Array.from(value);
  if (expression.endsWith('rlike')) {
    return units
      .map((unit, at) => (at === choice % 5 ? '.' : `\\x{${unit.codePointAt(0)?.toString(16)}}`))
      .join('');
  }
  const wildcards = ['_', '%', '%%', '_%'];
  const wild = units.map((unit, at) => (at === choice % 7 ? wildcards[choice % 4] : unit)).join('');
  return choice % 3 === 0 ? wild : choice % 3 === 1 ? wild.toUpperCase() : wild.toLowerCase();
}

test('the engine and the evaluator match the same records', async () => {
  const seen = { filters: 0, matched: 0, missed: 0 };
  const filters = fc.array(fc.tuple(filter, fc.nat({ max: 1_000 })), { minLength: 15, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(documents, filters, async (stored, filters) => {
      await table.store(stored);
      for (const [body, choice] of filters) {
        const ids = await table.search(
          stored,
          choice % 2 === 0 ? body : withStoredValue(body, stored, choice),
        );
        seen.filters += 1;
        seen.matched += Number(ids.length > 0);
        seen.missed += Number(ids.length < stored.length);
      }
    }),
    { numRuns: 50 },
  );
  expect(seen.filters).toBeGreaterThan(1_000);
  expect(seen.matched / seen.filters).toBeGreaterThan(0.3);
  expect(seen.missed / seen.filters).toBeGreaterThan(0.3);
});

const read = (body: FilterBody) => readFilter(body, 'filters[0]', sampleFields);

describe('the compiled filter', () => {
  test('supports 100 filters of 1,000 values', async () => {
    const stored = await table.storeJson(['{"count":1,"key":{"count":2},"other":3}', '{}']);
    const values = Array.from({ length: 1_000 }, (_, value) => value);
    for (const field of ['count', 'key.count', 'other']) {
      expect(await table.search(stored, { field, expression: 'in', values })).toEqual([0]);
      expect(await table.search(stored, { field, expression: 'not_in', values })).toEqual([1]);
    }
    const conditions = Array.from({ length: 100 }, () =>
      compileFilter(read({ field: 'key.count', expression: 'in', values }), sample),
    );
    expect(await table.find(conditions.reduce((left, right) => sql`${left} and ${right}`))).toEqual([0]);
  });

  test.each(["'; drop table t; --", '"', '?', '$1', '\\', "''"])(
    'binds %s as a value and in a path',
    async (value) => {
      const stored = await table.storeJson([JSON.stringify({ text: value, other: { [value]: value } })]);
      expect(await table.search(stored, { field: 'text', expression: 'eq', value })).toEqual([0]);
      expect(
        await table.search(stored, { field: 'text', expression: 'ilike', value: `_%${value.slice(1)}` }),
      ).toEqual([0]);
      const field = `other.${JSON.stringify(value)}`;
      expect(await table.search(stored, { field, expression: 'eq', value })).toEqual([0]);
    },
  );

  test('reads the document for an inner member only if rows may be mistyped', () => {
    const filter = read({ field: 'key.count', expression: 'ne', value: 1 });
    expect(compileFilter(filter, sample, { mistyped: 'none' }).sql).toBe(
      'not coalesce("key.count" = ?, false)',
    );
    expect(compileFilter(filter, sample).sql).toContain('case when odd then');
    const nested = read({ field: 'key.deep."a.b"', expression: 'eq', value: 'x' });
    expect(compileFilter(nested, sample, { mistyped: 'none' }).sql).toBe('"key.deep.""a.b""" = ?');
  });
});
