import { describe, expect, test } from 'vitest';
import { mutantsOf } from './mutants.ts';

const query = (filter: string) => `{ source { T } ${filter} return { A } }`;
/** The filter of each mutant, on one line. */
const mutants = (filter: string) =>
  mutantsOf(query(`filter { ${filter} }`)).map(({ change, text }) => {
    const [, left = 'nothing'] = /filter \{([\s\S]*)\}\s*return \{/.exec(text) ?? [];
    return [change, left.replaceAll(/\s+/g, ' ').trim()];
  });

describe('the mutants of a query', () => {
  test('remove or negate each predicate', () => {
    expect(mutants("A = 1 and (B is null or not C like 'x%')")).toEqual([
      ['without A = 1', "B is null or not C like 'x%'"],
      ['with the opposite of A = 1', "not A = 1 and (B is null or not C like 'x%')"],
      ['without B is null', "A = 1 and not C like 'x%'"],
      ['with the opposite of B is null', "A = 1 and (not B is null or not C like 'x%')"],
      ["without C like 'x%'", 'A = 1 and B is null'],
      ["with the opposite of C like 'x%'", "A = 1 and (B is null or not not C like 'x%')"],
    ]);
  });

  test('have no filter without its only predicate', () => {
    expect(mutants('A = 1')).toEqual([
      ['without A = 1', 'nothing'],
      ['with the opposite of A = 1', 'not A = 1'],
    ]);
    expect(mutants('not (A = 1)').map(([, left]) => left)).toEqual(['nothing', 'not not A = 1']);
  });

  test('remove each value of a list', () => {
    const changes = mutants(
      "A in (1, 2) and B not like any ('x', 'y') and any_in_array(C, 'd', 'e') and D in (3)",
    );
    const left = changes.filter(([change]) => change?.endsWith('in its list'));
    expect(
      left.map(([change, text]) => [change, text?.split(' and ').filter((part) => !/D/.test(part))]),
    ).toEqual([
      ['without 1 in its list', ['A in (2)', "B not like any ('x', 'y')", "any_in_array(C, 'd', 'e')"]],
      ['without 2 in its list', ['A in (1)', "B not like any ('x', 'y')", "any_in_array(C, 'd', 'e')"]],
      ["without 'x' in its list", ['A in (1, 2)', "B not like any ('y')", "any_in_array(C, 'd', 'e')"]],
      ["without 'y' in its list", ['A in (1, 2)', "B not like any ('x')", "any_in_array(C, 'd', 'e')"]],
      ["without 'd' in its list", ['A in (1, 2)', "B not like any ('x', 'y')", "any_in_array(C, 'e')"]],
      ["without 'e' in its list", ['A in (1, 2)', "B not like any ('x', 'y')", "any_in_array(C, 'd')"]],
    ]);
  });

  test('include those of subqueries', () => {
    const inner = '{ source { U } filter { X = 1 } return { Y } }';
    expect(mutants(`A in ${inner}`).map(([change]) => change)).toEqual([
      `without A in ${inner}`,
      `with the opposite of A in ${inner}`,
      'without X = 1',
      'with the opposite of X = 1',
    ]);
    const union = mutantsOf(`union { ${query('filter { A = 1 }')}, ${query('filter { B = 2 }')} }`);
    expect(union.map(({ text }) => text.match(/filter \{ .* \}/g))).toEqual([
      ['filter { B = 2 }'],
      ['filter { not A = 1 }', 'filter { B = 2 }'],
      ['filter { A = 1 }'],
      ['filter { A = 1 }', 'filter { not B = 2 }'],
    ]);
  });

  test('are empty for a query without a filter', () => {
    expect(mutantsOf(query(''))).toEqual([]);
    expect(() => mutantsOf('no query')).toThrow('Invalid query');
  });
});
