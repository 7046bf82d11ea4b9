import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matcher } from './evaluator.ts';
import { type FilterBody, readFilters } from './filter.ts';
import type { ApiRecord } from './record.ts';
import { isQuick, StepBudget } from './step-budget.ts';

const fields = { columns: { name: { type: 'string' }, data: { type: 'json' } } } as const;
const read = (...bodies: FilterBody[]) => readFilters(bodies, fields);
const has = (expression: string, value: string, field = 'name') => ({ field, expression, value });
const stringOf = (length: number) => 'ab'.repeat(length / 2);

describe('a step budget', () => {
  test('is charged with pattern size times string length before the comparison', () => {
    const slow = read(has('eq', 'x'), has('rlike', '.*a[ab]{900}c.*'));
    const record = { name: 'x', data: stringOf(900_000) };
    const run = () => matcher(slow)({ ...record, name: stringOf(900_000) });
    expect(run()).toBe(false);
    const alone = matcher(slow.slice(1));
    expect(() => alone({ name: stringOf(900_000) })).toThrow(
      expect.objectContaining({
        code: 'INVALID_FILTER',
        message: expect.stringMatching(/^filters\[1\] takes too many steps .* shorten its pattern/),
      }),
    );
  });

  test('is shared by all records and filters of a search', () => {
    const matches = matcher(read(has('like', '%abc%')), new StepBudget(30));
    expect(matches({ name: 'abcde' })).toBe(true);
    expect(matches({ name: 'xabcx' })).toBe(true);
    expect(() => matches({ name: 'x' })).toThrow('filters[0] takes too many steps');
  });

  test('limits long arrays too', () => {
    const values = Array(100_000).fill('a');
    const matches = matcher(read(has('gt', 'a'.repeat(10_000), 'data')), new StepBudget(1_000_000));
    expect(() => matches({ data: values })).toThrow('filters[0] takes too many steps');
  });
});

describe('a quick search', () => {
  const twenty = 20 * 600;

  test.each([
    ['no filter', []],
    ['eq', [has('eq', 'x')]],
    ['several', [has('ne', 'x'), has('like', '%x%'), has('ilike', 'x_'), has('gt', 'x')]],
    ['many values', [{ field: 'name', expression: 'in', values: Array(1_000).fill('some-guid') }]],
  ])('has twenty records and %s', (_, bodies) => {
    expect(isQuick(read(...(bodies as FilterBody[])), twenty)).toBe(true);
  });

  test.each([
    ['a regular expression', [has('rlike', 'a')], twenty],
    ['a long pattern', [has('like', `%${'a'.repeat(1_000)}b`)], twenty],
    ['a hundred filters', Array(100).fill(has('like', '%x%')), twenty],
    ['long values', Array(100).fill(has('eq', 'x'.repeat(10_000))), 0],
    ['large records', [], 1_000_000],
  ])('does not have %s', (_, bodies, characters) => {
    expect(isQuick(read(...(bodies as FilterBody[])), characters as number)).toBe(false);
  });

  test('never exceeds the budget', () => {
    const record = fc.record({ name: fc.string({ maxLength: 50 }), data: fc.jsonValue() });
    const filter = fc.record({
      field: fc.constantFrom('name', 'data'),
      expression: fc.constantFrom('eq', 'ne', 'like', 'not_ilike', 'gt', 'le'),
      value: fc.stringMatching(/^[ab%_]{1,300}$/),
    });
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 20 }),
        fc.array(filter, { maxLength: 10 }),
        (records, bodies) => {
          const filters = read(...bodies);
          const characters = records.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
          fc.pre(isQuick(filters, characters));
          const matches = matcher(filters, new StepBudget(500_000));
          for (const one of records) matches(one as ApiRecord);
        },
      ),
    );
  });
});
