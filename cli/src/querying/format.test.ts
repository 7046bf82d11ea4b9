import { expect, test } from 'vitest';
import { csvOf, jsonOf, tableOf } from './format.ts';

const row = (...cells: [string, string][]) => new Map(cells);

test('a table escapes control characters', () => {
  const table = tableOf(['A', 'B'], [row(['A', '"a\\n\\u001b[31mred\\u202e"'], ['B', '{"x": 1}'])]);
  expect(table).toBe('A                       B\na\\n\\u001b[31mred\\u202e  {"x": 1}\n\n1 row');
});

test('CSV quotes commas, quotes and line breaks, and null is an empty cell', () => {
  const rows = [row(['A', '"a,b"'], ['B', '"say \\"x\\"\\n"']), row(['A', 'null'], ['B', '{"x":1}'])];
  expect(csvOf(['A', 'B'], rows)).toBe('A,B\r\n"a,b","say ""x""\n"\r\n,"{""x"":1}"');
  expect(csvOf(['A'], [])).toBe('A');
  expect(jsonOf([])).toBe('[]');
});
