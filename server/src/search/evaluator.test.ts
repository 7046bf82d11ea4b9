import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from './dataset.sample.ts';
import { matcher, matches } from './evaluator.ts';
import { type FilterBody, type FilterValue, readFilter } from './filter.ts';
import { operators } from './operators.ts';

const record = {
  name: 'Web-1',
  size: 10,
  enabled: true,
  seenTime: '2024-05-01T00:00:00.000Z',
  props: {
    text: 'a\nb',
    number: 1.5,
    one: '1',
    yes: true,
    nothing: null,
    list: ['x', 2, false, null, ['deep'], { in: 'object' }],
    empty: [],
    object: { k: 'v' },
    'a.b': 'dotted',
  },
};

const isMatch = (filter: FilterBody) => matches(record, readFilter(filter, 'filters[0]', sample));

describe('a comparison uses the type of the stored value', () => {
  test.each<[string, string, FilterValue, boolean]>([
    ['name', 'eq', 'Web-1', true],
    ['name', 'eq', 'web-1', false],
    ['name', 'gt', 'Web', true],
    ['name', 'lt', 'a', true],
    ['size', 'eq', '10', true],
    ['size', 'eq', '1e1', true],
    ['size', 'gt', '9', true],
    ['size', 'le', 10, true],
    ['size', 'lt', 10, false],
    ['size', 'lt', '1e999', true],
    ['enabled', 'eq', 'TRUE', true],
    ['enabled', 'eq', 1, true],
    ['enabled', 'gt', false, true],
    ['seenTime', 'eq', '2024-05-01', true],
    ['seenTime', 'eq', '2024-05-01T02:00:00.000000+02:00', true],
    ['seenTime', 'lt', '2024-05-01T00:00:00.001Z', true],
    ['seenTime', 'like', '2024-05-01T%', true],
    ['props.one', 'eq', 1, true],
    ['props.one', 'eq', '1.0', false],
    ['props.one', 'eq', true, false],
    ['props.number', 'eq', '1.5', true],
    ['props.number', 'eq', '1.50', true],
    ['props.number', 'ge', true, true],
    ['props.number', 'eq', 'x', false],
    ['props.number', 'ne', 'x', true],
    ['props.number', 'like', '1.%', true],
    ['props.number', 'gt', 'x', false],
    ['props.number', 'lt', 'x', false],
    ['props.yes', 'eq', '1', true],
    ['props.yes', 'eq', 'True', true],
    ['props.yes', 'eq', 'yes', false],
    ['props.yes', 'eq', 2, false],
    ['props.yes', 'rlike', 'tr.*', true],
    ['props.text', 'rlike', '.*b', true],
    ['props."a.b"', 'eq', 'dotted', true],
    ['props.object', 'eq', '{"k":"v"}', false],
    ['props.object', 'like', '%"k":"v"%', true],
    ['props.object', 'rlike', '.*"k":"v".*', true],
    ['props.object', 'ilike', '{"K":"V"}', true],
    ['props.object.k', 'eq', 'v', true],
  ])('%s %s %j is %s', (field, expression, value, expected) => {
    expect(isMatch({ field, expression, value })).toBe(expected);
  });
});

describe('an array passes a comparison if one of its scalars does', () => {
  test.each<[string, FilterValue | FilterValue[], boolean]>([
    ['eq', 'x', true],
    ['eq', '2', true],
    ['eq', 'FALSE', true],
    ['eq', 'deep', false],
    ['eq', 'object', false],
    ['ne', 'x', false],
    ['ne', 'y', true],
    ['in', ['y', 2], true],
    ['not_in', ['y', 2], false],
    ['gt', 1, true],
    ['gt', 'w', true],
    ['gt', 'x', false],
    ['between', [1, 3], true],
    ['between', ['w', 'y'], true],
    ['between', [3, 4], false],
    ['like', '["x",2,false,null,["deep"],%', true],
    ['like', 'x', false],
  ])('%s %j is %s', (expression, operands, expected) => {
    const values = Array.isArray(operands) ? { values: operands } : { value: operands };
    expect(isMatch({ field: 'props.list', expression, ...values })).toBe(expected);
  });

  test.each([
    ['props.list[0]', 'eq', 'x', true],
    ['props.list[4]', 'eq', 'deep', true],
    ['props.list[5].in', 'eq', 'object', true],
    ['props.list[9]', 'ne', 'x', true],
    ['props.empty', 'ne', 'x', true],
    ['props.empty', 'eq', 'x', false],
    ['props.empty', 'like', '[]', true],
  ])('%s %s %j is %s', (field, expression, value, expected) => {
    expect(isMatch({ field, expression, value })).toBe(expected);
  });
});

describe('a missing member passes the negated operators only', () => {
  const absent = [
    'count',
    'props.missing',
    'props.nothing',
    'props.list[3]',
    'props.text.length',
    'props.__proto__',
  ];
  test.each(Object.entries(operators).filter(([name]) => name !== 'expr'))('%s', (expression, { uses }) => {
    const values = uses === 'value' ? { value: '1' } : { values: ['0', '1'] };
    for (const field of absent) {
      expect(isMatch({ field, expression, ...values })).toBe('negates' in operators[expression as 'eq']);
    }
  });
});

test('filters are joined by AND', () => {
  const filters = [
    { field: 'name', expression: 'like', value: 'Web%' },
    { field: 'size', expression: 'gt', value: 5 },
  ].map((filter, index) => readFilter(filter, `filters[${index}]`, sample));
  expect(matcher(filters)(record)).toBe(true);
  expect(matcher(filters)({ ...record, size: 5 })).toBe(false);
  expect(matcher([])(record)).toBe(true);
});

test('every negated operator is the complement of its positive one', () => {
  const pairs = Object.entries(operators).flatMap(([name, operator]) =>
    'negates' in operator ? [[name, operator.negates, operator.uses] as const] : [],
  );
  const scalar = fc.oneof(
    fc.constantFrom('a', 'A', '1', 'true', '', '%', 'a_'),
    fc.integer({ min: 0, max: 2 }),
    fc.boolean(),
  );
  const stored = fc.option(fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.constantFrom('k'), scalar)));
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      fc.array(scalar, { minLength: 1, maxLength: 3 }),
      stored,
      (pair, operands, props) => {
        const [negated, positive, uses] = pair;
        const values = uses === 'value' ? { value: operands[0] as string } : { values: operands };
        const results = [negated, positive].map((expression) =>
          matches({ props }, readFilter({ field: 'props', expression, ...values }, 'filters[0]', sample)),
        );
        expect(results[0]).toBe(!results[1]);
      },
    ),
  );
});
