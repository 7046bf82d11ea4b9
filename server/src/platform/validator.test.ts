import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { coded, disabledOrEnabled } from './coded.ts';
import { omissible } from './omissible.ts';
import { Validator } from './validator.ts';

const closeReasons = { 0: 'Other', 1: 'a', 2: 'b', 3: 'c', 4: 'd', 5: 'Expected behavior' };
const tag = Type.Object({ key: Type.String(), value: Type.Array(Type.String()) });
const body = new Validator(
  Type.Object({
    values: omissible(Type.Array(Type.Union([Type.String(), tag]))),
    kind: omissible(Type.Enum(['Hourly', 'Daily', ''])),
    reason: omissible(coded(closeReasons, 'Why.')),
    enabled: omissible(coded(disabledOrEnabled, 'Whether.')),
    hours: omissible(Type.Integer({ minimum: 1, maximum: 24 })),
    at: omissible(Type.String({ format: 'instant' })),
  }),
  'body',
);

describe('a validation problem', () => {
  test.each([
    [{ values: 7 }, 'values must be an array, not 7.'],
    [{ values: [7] }, 'values[0] must be a string, not 7.'],
    [{ values: ['a', { key: 'k' }] }, 'values[1].value is required: add it to the body.'],
    [{ values: [{ key: 'k', value: ['v', null] }] }, 'values[0].value[1] must be a string, not null.'],
    [{ kind: 'Weekly' }, "kind must be one of Hourly, Daily, not 'Weekly'."],
    [{ kind: 'a\u001b[31m' }, "kind must be one of Hourly, Daily, not 'a\\u{1b}[31m'."],
    [{ reason: 6 }, 'reason must be 0 (Other) to 5 (Expected behavior), not 6.'],
    [{ reason: 'Other' }, "reason must be 0 (Other) to 5 (Expected behavior), not 'Other'."],
    [{ enabled: 2 }, 'enabled must be 0 (disabled) or 1 (enabled), not 2.'],
    [{ hours: 0 }, 'hours must be between 1 and 24, not 0.'],
    [{ at: 'soon' }, "at must be a timestamp such as 2024-05-01T13:00:00.000Z, not 'soon'."],
  ])('for %j is: %s', (value, message) => {
    expect(body.problems(value)[0]?.message).toBe(message);
  });

  test('is not reported for a value that matches one of the variants', () => {
    for (const value of [{}, { values: null, kind: '' }, { values: ['a', { key: 'k', value: [] }] }]) {
      expect(body.problems(value)).toEqual([]);
    }
  });

  test('is reported once for every invalid member', () => {
    const value = { values: [7, { key: 'k' }, { key: 1, value: [2] }], reason: 9, enabled: 'x' };
    expect(body.problems(value).map(({ field, message }) => [field, message])).toEqual([
      ['values[0]', 'values[0] must be a string, not 7.'],
      ['values[1].value', 'values[1].value is required: add it to the body.'],
      ['values[2].key', 'values[2].key must be a string, not 1.'],
      ['values[2].value[0]', 'values[2].value[0] must be a string, not 2.'],
      ['reason', 'reason must be 0 (Other) to 5 (Expected behavior), not 9.'],
      ['enabled', "enabled must be 0 (disabled) or 1 (enabled), not 'x'."],
    ]);
  });

  test('is one of at most 20 in the refusal, whose message is the first', () => {
    const check = (values: readonly unknown[]) => {
      try {
        return body.check({ values });
      } catch (error) {
        return error;
      }
    };
    expect(check([1, 2])).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'values[0] must be a string, not 1.',
      problems: [
        { field: 'values[0]', message: 'values[0] must be a string, not 1.' },
        { field: 'values[1]', message: 'values[1] must be a string, not 2.' },
      ],
    });
    expect(check(Array(30).fill(1))).toHaveProperty('problems.length', 20);
    expect(check(Array(1_001).fill(1))).toHaveProperty('problems.length', 1);
  });
});
