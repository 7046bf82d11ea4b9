import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { omissible } from './omissible.ts';
import { Validator } from './validator.ts';

const tag = Type.Object({ key: Type.String(), value: Type.Array(Type.String()) });
const body = new Validator(
  Type.Object({
    values: omissible(Type.Array(Type.Union([Type.String(), tag]))),
    kind: omissible(Type.Enum(['Hourly', 'Daily', ''])),
  }),
  'body',
);

describe('a complaint', () => {
  test.each([
    [{ values: 7 }, 'values must be an array, not 7.'],
    [{ values: [7] }, 'values[0] must be a string, not 7.'],
    [{ values: ['a', { key: 'k' }] }, 'values[1].value is required: add it to the body.'],
    [{ values: [{ key: 'k', value: ['v', null] }] }, 'values[0].value[1] must be a string, not null.'],
    [{ kind: 'Weekly' }, "kind must be one of Hourly, Daily, not 'Weekly'."],
  ])('about %j is: %s', (value, message) => {
    expect(body.problem(value)?.message).toBe(message);
  });

  test('is not made about what fits one of the forms', () => {
    for (const value of [{}, { values: null, kind: '' }, { values: ['a', { key: 'k', value: [] }] }]) {
      expect(body.problem(value)).toBeUndefined();
    }
  });
});
