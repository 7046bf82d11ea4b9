import { describe, expect, test } from 'vitest';
import { checkQuery, type GroupQueryBody } from './query.ts';
import { fieldsOfType, isKeyed, resourceTypes } from './resource-types.ts';

const account = { field: 'Account', operation: 'EQUALS' as const, values: ['1'] };
const leaf = { filterName: 'a' };
const query = (children: unknown[], filters: GroupQueryBody['filters'] = { a: account }): GroupQueryBody => ({
  filters,
  expression: { operator: 'AND', children },
});
const nested = (levels: number): object =>
  levels === 0 ? leaf : { operator: 'OR', children: [nested(levels - 1)] };

describe('a group query', () => {
  test.each(resourceTypes)(
    'accepts every field of %s and rejects others, with the accepted ones in the message',
    (type) => {
      for (const field of fieldsOfType[type]) {
        const filter = { ...account, field, ...(isKeyed(field) && { key: 'env' }) };
        expect(checkQuery(type, query([leaf], { a: filter }))).toEqual(query([leaf], { a: filter }));
      }
      const wrong = () => checkQuery(type, query([leaf], { a: { ...account, field: 'Colour' } }));
      expect(wrong).toThrow(
        `query.filters.a.field must be one of ${fieldsOfType[type].join(', ')} for ${type}`,
      );
    },
  );

  test('preserves filter names, unusual ones too', () => {
    const names = ['Filter_One', 'filterOne', 'ünï côdé', 'constructor', 'hasOwnProperty', '7'];
    const filters = Object.fromEntries(names.map((name) => [name, account]));
    const given = query(
      names.map((filterName) => ({ filterName })),
      filters,
    );
    expect(checkQuery('AWS', given)).toEqual(given);
  });

  test('requires a key for tags and labels, and rejects it elsewhere', () => {
    const tag = { ...account, field: 'Resource Tag' };
    expect(() => checkQuery('AWS', query([leaf], { a: tag }))).toThrow('query.filters.a.key is required');
    expect(() => checkQuery('AWS', query([leaf], { a: { ...account, key: 'x' } }))).toThrow(
      'query.filters.a.key must be omitted',
    );
    expect(checkQuery('AWS', query([leaf], { a: { ...account, key: '' } })).filters.a).toEqual(account);
  });

  test('nests at most three levels below the top', () => {
    expect(checkQuery('AWS', query([nested(3)]))).toEqual(query([nested(3)]));
    expect(() => checkQuery('AWS', query([nested(4)]))).toThrow('must have at most 3 levels of nesting');
  });

  test.each([
    [[{ filterName: 'b' }], "query.expression.children[0].filterName 'b' is not in query.filters"],
    [
      [leaf, { operator: 'OR', children: [{ filterName: 'toString' }] }],
      'children[1].children[0].filterName',
    ],
    [[{ filterName: 7 }], "filterName '7'"],
    [[], 'query.expression.children must be a non-empty array'],
    [[{ operator: 'OR', children: [] }], 'query.expression.children[0].children'],
    [[{ operator: 'XOR', children: [leaf] }], 'query.expression.children[0].operator must be one of AND, OR'],
    [[{}], 'query.expression.children[0].operator'],
    [[{ ...leaf, operator: 'OR', children: [leaf] }], 'not both'],
    [['a'], 'query.expression.children[0] must be an object'],
    [[null], 'query.expression.children[0] must be an object'],
  ])('rejects the children %j with their path', (children, message) => {
    expect(() => checkQuery('AWS', query(children))).toThrow(message);
  });

  test('has a limit on its total length', () => {
    const values = Array.from({ length: 9_000 }, (_, index) => `account number ${index} of very many`);
    expect(() => checkQuery('AWS', query([leaf], { a: { ...account, values } }))).toThrow('262144');
  });
});
