import { describe, expect, test } from 'vitest';
import { describeFault, jsonFault } from './json-fault.ts';

const faultOf = (json: string) => {
  const fault = jsonFault(json);
  return fault && describeFault(fault);
};

describe('jsonFault', () => {
  test.each([
    ['', 'line 1, column 1: the text ends early, expected a value'],
    ['{', 'line 1, column 2: the text ends early, expected a member name in double quotes or }'],
    ['{\n  "a": 1,\n  b: 2\n}', 'line 3, column 3: expected a member name in double quotes'],
    ['{"a" 1}', 'line 1, column 6: expected :'],
    ['{"a":}', 'line 1, column 6: expected a value'],
    ["{'a': 1}", 'line 1, column 2: expected a member name in double quotes or }'],
    ['[1 2]', 'line 1, column 4: expected , or ]'],
    ['[1,]', 'line 1, column 4: expected a value'],
    ['{"a":[1}', 'line 1, column 8: expected , or ]'],
    ['{"a":1', 'line 1, column 7: the text ends early, expected , or }'],
    ['01', 'line 1, column 2: expected nothing after the value'],
    ['{}\n{}', 'line 2, column 1: expected nothing after the value'],
    ['nul', 'line 1, column 1: expected a value'],
    ['"a\\x"', 'line 1, column 3: invalid escape in a string'],
    ['"a\nb"', 'line 1, column 3: unescaped control character in a string'],
    ['"abc', 'line 1, column 5: the text ends inside a string'],
  ])('%j: %s', (json, fault) => {
    expect(faultOf(json)).toBe(fault);
    expect(() => JSON.parse(json)).toThrow();
  });

  test('finds every missing or changed character of valid JSON', () => {
    const valid = '{"a": [1, -2.5e+3, true, null, "x\\u00e9\\n"], "b": {"c": {}, "d": []}}\n';
    for (let index = 0; index < valid.length; index++) {
      for (const replacement of ['', '"', '}', ',', '\u0001', '\\']) {
        const json = valid.slice(0, index) + replacement + valid.slice(index + 1);
        const isJson = parses(json);
        expect([json, jsonFault(json) === undefined]).toEqual([json, isJson]);
      }
    }
  });

  test('handles long input', () => {
    expect(jsonFault(`["${'a'.repeat(5_000_000)}"`)).toMatchObject({ line: 1, column: 5_000_004 });
    expect(jsonFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  });
});

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
