import { describe, expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const names = [
  'RESOURCE_CONFIG',
  'RESOURCE_REGION',
  'ACCOUNT_ID',
  'ARN',
  'MID',
  'PID',
  'lower',
  'array_size',
];

describe('nearest', () => {
  test.each([
    ['resource_config', 'RESOURCE_CONFIG'],
    ['RESOURCE_CONFG', 'RESOURCE_CONFIG'],
    ['RESOURCE_REIGON', 'RESOURCE_REGION'],
    ['AccountId', 'ACCOUNT_ID'],
    ['lowr', 'lower'],
    ['arraysize', 'array_size'],
  ])('of %s is %s', (name, expected) => {
    expect(nearest(name, names)).toBe(expected);
  });

  test('prefers a difference in case, and finds exact names', () => {
    expect(nearest('mid', ['MIP', 'MID'])).toBe('MID');
    expect(nearest('MID', ['mid', 'MID'])).toBe('MID');
  });

  test('is undefined if no name is similar', () => {
    expect(nearest('USERNAME', names)).toBeUndefined();
    expect(nearest('x', names)).toBeUndefined();
    expect(nearest('', names)).toBeUndefined();
    expect(nearest('MID', [])).toBeUndefined();
  });
});
