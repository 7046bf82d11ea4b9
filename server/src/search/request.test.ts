import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../platform/errors.ts';
import { sample } from './dataset.sample.ts';
import { checkPatterns } from './filter.ts';
import { readSearch, SearchBody } from './request.ts';

const now = Date.parse('2024-05-10T12:00:00.000Z');
const hasShape = new Ajv({ strict: true }).compile(SearchBody);

/** Validates in the order of the server: schema, content, regular expressions. */
function read(body: unknown) {
  if (!hasShape(body ?? null)) throw new Error(`shape: ${hasShape.errors?.[0]?.instancePath}`);
  const search = readSearch(body as SearchBody | undefined, sample, now);
  checkPatterns(search.filters);
  return search;
}

const readFilter = (filter: object) => read({ filters: [filter] }).filters[0];

const refusal = (code: ErrorCode, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe('no restriction is expressed by', () => {
  test.each([
    undefined,
    null,
    {},
    { filters: [], returns: [] },
    { timeFilter: null, filters: null, returns: null },
    { timeFilter: {} },
    { timeFilter: { startTime: null, endTime: null } },
    { timeFilter: { startTime: '', endTime: '' } },
    { timeFilters: { startTime: 'misspelt' }, timeFilter: { starTime: 'misspelt' } },
  ])('%j', (body) => {
    const range = { start: now - 24 * 60 * 60 * 1000, end: now + 1 };
    expect(read(body)).toEqual({ range, filters: [], returns: undefined });
  });
});

describe('the schema limits the body', () => {
  const filter = { field: 'name', expression: 'eq', value: 'x' };
  test.each([
    ['an array as body', []],
    ['a string as body', 'filters'],
    ['101 filters', { filters: Array(101).fill(filter) }],
    ['1,001 values', { filters: [{ field: 'name', expression: 'in', values: Array(1_001).fill('x') }] }],
    ['201 returns', { returns: Array(201).fill('name') }],
    ['a value of 10,001 characters', { filters: [{ ...filter, value: 'x'.repeat(10_001) }] }],
    ['a field of 1,001 characters', { filters: [{ ...filter, field: 'x'.repeat(1_001) }] }],
    ['an object as value', { filters: [{ ...filter, value: {} }] }],
    ['null among the values', { filters: [{ field: 'name', expression: 'in', values: [null] }] }],
    ['a filter without field', { filters: [{ expression: 'eq', value: 'x' }] }],
    ['a filter without expression', { filters: [{ field: 'name', value: 'x' }] }],
    ['a number as startTime', { timeFilter: { startTime: 5 } }],
  ])('%s is refused', (_, body) => {
    expect(() => read(body)).toThrow('shape');
  });

  test('values at the limits are accepted', () => {
    const values = Array(1_000).fill('x'.repeat(10));
    const filters = [...Array(99).fill(filter), { field: 'name', expression: 'in', values }];
    expect(read({ filters, returns: Array(200).fill('name') }).filters).toHaveLength(100);
    expect(readFilter({ ...filter, value: 'x'.repeat(10_000) })?.values[0]).toHaveLength(10_000);
  });
});

describe('all filters together', () => {
  const repeated = (count: number, filter: object) => ({
    filters: Array(count).fill({ field: 'name', ...filter }),
  });

  test('have at most 10,000 values', () => {
    const values = Array(1_000).fill('x');
    expect(read(repeated(10, { expression: 'in', values })).filters).toHaveLength(10);
    expect(() => read(repeated(11, { expression: 'in', values }))).toThrow(
      refusal('INVALID_FILTER', 'filters[10].values: the filters of a search have at most 10000 values'),
    );
  });

  test('have regular expressions of at most 5,000 characters and 10,000 instructions', () => {
    expect(read(repeated(50, { expression: 'rlike', value: 'a'.repeat(100) })).filters).toHaveLength(50);
    expect(() => read(repeated(51, { expression: 'rlike', value: 'a'.repeat(100) }))).toThrow(
      refusal('INVALID_FILTER', 'filters[50].value: the regular expressions of a search have at most 5000'),
    );
    expect(read(repeated(10, { expression: 'not_rlike', value: 'a{990}' })).filters).toHaveLength(10);
    expect(() => read(repeated(90, { expression: 'not_rlike', value: 'a{990}' }))).toThrow(
      refusal('INVALID_FILTER', 'filters[10].value makes the regular expressions of the search too large'),
    );
  });
});

describe('a value is converted to the type of the field', () => {
  test.each([
    [{ field: 'name', expression: 'eq', value: 5 }, ['5']],
    [{ field: 'name', expression: 'in', values: ['a', 1, true] }, ['a', '1', 'true']],
    [{ field: 'size', expression: 'gt', value: '1.5' }, [1.5]],
    [{ field: 'size', expression: 'eq', value: true }, [1]],
    [{ field: 'size', expression: 'like', value: 1 }, ['1']],
    [{ field: 'size', expression: 'between', values: ['9', '10'] }, [9, 10]],
    [{ field: 'enabled', expression: 'ne', value: 'FALSE' }, [false]],
    [{ field: 'enabled', expression: 'between', values: [0, 1] }, [false, true]],
    [{ field: 'seenTime', expression: 'ge', value: '2024-05-01' }, [Date.parse('2024-05-01')]],
    [{ field: 'seenTime', expression: 'rlike', value: '2024.*' }, ['2024.*']],
    [{ field: 'props.a', expression: 'eq', value: '5' }, ['5']],
    [{ field: 'props.a', expression: 'in', values: [5, 'x', true] }, [5, 'x', true]],
    [{ field: 'props.a', expression: 'between', values: ['9', '10'] }, ['9', '10']],
    [{ field: 'name', expression: 'eq', value: '', values: null }, ['']],
    [{ field: 'name', expression: 'in', value: null, values: [''] }, ['']],
  ])('%j', (filter, values) => {
    expect(readFilter(filter)).toMatchObject({ values });
  });

  test('and the filter has the path, the type and the test', () => {
    expect(readFilter({ field: 'props."a.b"[0]', expression: 'not_in', values: [1] })).toEqual({
      path: { field: 'props', steps: ['a.b', 0] },
      at: 'filters[0]',
      type: 'json',
      test: 'in',
      negated: true,
      values: [1],
    });
  });
});

describe('a refused filter is named with its location and the fix', () => {
  test.each([
    [{ expression: 'foo', value: 1 }, ".expression 'foo' is not an operator: use one of eq, ne, in,"],
    [{ expression: 'constructor', value: 1 }, ".expression 'constructor' is not an operator"],
    [{ expression: 'expr', value: 1 }, ".expression 'expr' is reserved"],
    [{ expression: 'in', value: 'x' }, '.value must not be given with in: use values'],
    [{ expression: 'in', value: 'x', values: ['x'] }, '.value must not be given with in: use values'],
    [{ expression: 'eq', value: 'x', values: ['x'] }, '.values must not be given with eq: use value'],
    [{ expression: 'eq' }, '.value is missing: eq needs it'],
    [{ expression: 'eq', value: null }, '.value is missing: eq needs it'],
    [{ expression: 'in' }, '.values is missing or empty: in needs it'],
    [{ expression: 'not_in', values: [] }, '.values is missing or empty: not_in needs it'],
    [{ expression: 'between', values: ['a'] }, '.values must be two different values, the lower one first'],
    [
      { expression: 'between', values: ['a', 'b', 'c'] },
      '.values must be two different values, the lower one first',
    ],
    [
      { expression: 'between', values: ['a', 'a'] },
      '.values must be two different values, the lower one first',
    ],
    [
      { expression: 'between', values: ['b', 'a'] },
      '.values must be two different values, the lower one first',
    ],
    [
      { expression: 'between', values: ['9', '10'] },
      '.values must be two different values, the lower one first',
    ],
    [{ field: 'size', expression: 'between', values: ['10', '9'] }, '.values must be two different values'],
    [{ field: 'size', expression: 'between', values: [1, '1.0'] }, '.values must be two different values'],
    [{ field: 'enabled', expression: 'between', values: [true, false] }, '.values must be two different'],
    [{ field: 'props.a', expression: 'between', values: [10, 9] }, '.values must be two different values'],
    [{ field: 'props.a', expression: 'between', values: ['b', 'a'] }, '.values must be two different values'],
    [
      { field: 'seenTime', expression: 'between', values: ['2024-05-01', '2024-05-01T00'] },
      '.values must be two different values',
    ],
    [{ field: 'seenTime', expression: 'eq', value: 'today' }, '.value must be a date written as yyyy-MM-dd'],
    [{ field: 'seenTime', expression: 'gt', value: 5 }, '.value must be a date written as yyyy-MM-dd'],
    [
      { field: 'size', expression: 'in', values: [1, 'big'] },
      ".values[1] must be a number, as size is, not 'big'.",
    ],
    [
      { field: 'enabled', expression: 'ne', value: 'yes' },
      ".value must be true or false, as enabled is, not 'yes'.",
    ],
    [{ expression: 'rlike', value: '(' }, '.value is not a valid RE2 regular expression: missing closing )'],
    [{ expression: 'not_rlike', value: '(?=a)' }, '.value is not a valid RE2 regular expression: invalid'],
    [{ expression: 'rlike', value: 'a'.repeat(1_001) }, 'longer than 1000 characters'],
    [{ expression: 'eq', value: 'a\0b' }, '.value must not contain a NUL'],
    [{ expression: 'like', value: '\ud800' }, '.value must not contain a NUL or half a surrogate pair'],
    [{ field: 'props.a', expression: 'in', values: ['x', '\udc00'] }, '.values[1] must not contain a NUL'],
  ])('%j', (filter, message) => {
    const filters = [
      { field: 'name', expression: 'eq', value: '😀' },
      { field: 'name', ...filter },
    ];
    expect(() => read({ filters })).toThrow(refusal('INVALID_FILTER', message));
    expect(() => read({ filters })).toThrow('filters[1].');
  });
});

describe('a field is refused', () => {
  test.each([
    ['qqqqqqqq', 'use one of id, name, size, count, enabled, seenTime, props'],
    ['constructor', 'use one of id'],
    ['item_count', 'did you mean count? Fields are id'],
    ['NAME', 'did you mean name? Fields are id'],
    ['name.first', 'name has no members'],
    ['size[0]', 'size has no members'],
    ['props..a', 'write it as a, a.b'],
    ['', 'write it as a, a.b'],
  ])('%j', (name, hint) => {
    const filters = [{ field: name, expression: 'eq', value: 1 }];
    expect(() => read({ filters })).toThrow(
      refusal('INVALID_FIELD', `Invalid field '${name}' in filters[0].field: ${hint}`),
    );
    expect(() => read({ returns: ['id', name] })).toThrow(
      refusal('INVALID_FIELD', `Invalid field '${name}' in returns[1]: ${hint}`),
    );
  });
});

test('returns lists each top-level member once', () => {
  expect(read({ returns: ['name', 'props.a', 'props."b.c"', 'name'] }).returns).toEqual(['name', 'props']);
});

test('errors of the time range name timeFilter', () => {
  expect(() => read({ timeFilter: { startTime: 'x' } })).toThrow(
    refusal('INVALID_INPUT', 'timeFilter.startTime'),
  );
});
