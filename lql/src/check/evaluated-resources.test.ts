import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import type { Catalogue, Column, Relationship } from '../catalogue/catalogue.ts';
import { datasourcesByResource, evaluatedResources, selectedResources } from './evaluated-resources.ts';
import { datasourcesOf, readsClock } from './query-blocks.ts';

const columns: Column[] = [
  { name: 'ARN', type: 'String' },
  { name: 'ACCOUNT_ID', type: 'String' },
  { name: 'RESOURCE_CONFIG', type: 'Json' },
];
const link = (to: string, column: string): Relationship => ({
  ...{ name: '(default)', to, description: '', cardinality: 'ONE' },
  on: [{ from: { column }, to: { column } }],
});
const relationships = { BUCKET: [link('ACL', 'ARN'), link('ACCOUNT', 'ACCOUNT_ID')], ACL: [], ACCOUNT: [] };
const catalogue: Catalogue = {
  find: (name) =>
    Object.hasOwn(relationships, name)
      ? { name, description: '', columns, relationships: relationships[name as keyof typeof relationships] }
      : undefined,
  names: () => Object.keys(relationships),
};
const read = (text: string) => {
  const { query, problems } = analyse(text, catalogue);
  if (!query) throw new Error(problems.map(({ message }) => message).join());
  return query;
};

const policy = read(`{
  source { BUCKET b with (ACL a, ACCOUNT o) }
  filter { a.RESOURCE_CONFIG:open = true
    and b.ACCOUNT_ID in { source { ACCOUNT } filter { current_timestamp_sec() > 7 } return { ACCOUNT_ID } } }
  return distinct { b.ARN as RESOURCE_KEY, b.ACCOUNT_ID }
}`);
const hidden: Column[] = [{ name: '#REGION', type: 'String' }];

describe('the resources that a policy evaluates', () => {
  test('are all of its first datasource, with its key and the columns asked for', () => {
    const resources = evaluatedResources(policy, 'RESOURCE_KEY', hidden);
    expect(resources?.columns.map(({ name }) => name)).toEqual(['RESOURCE_KEY', '#REGION']);
    const [block, ...others] = resources?.blocks ?? [];
    expect([others, block?.filter, block?.distinct]).toEqual([[], undefined, true]);
    expect(block?.sources).toMatchObject([{ kind: 'table', datasource: { name: 'BUCKET' } }]);
  });

  test('are unknown without a key of that datasource', () => {
    const keyOf = (value: string) =>
      evaluatedResources(read(`{ source { BUCKET b with ACL a } return { ${value} } }`), 'RESOURCE_KEY', []);
    expect(keyOf('b.ARN as RESOURCE_KEY')).toBeDefined();
    expect(keyOf("b.ACCOUNT_ID || '/x' as RESOURCE_KEY")).toBeDefined();
    expect(keyOf('a.ARN as RESOURCE_KEY')).toBeUndefined();
    expect(keyOf('b.ARN')).toBeUndefined();
  });

  test('may be selected by a query of their own', () => {
    const scope = read(`{ source { BUCKET } filter { ACCOUNT_ID = '1' } return { ARN as RESOURCE_KEY } }`);
    const [block] = selectedResources(scope, 'RESOURCE_KEY', hidden)?.blocks ?? [];
    expect(block?.filter).toEqual(scope.blocks[0]?.filter);
    expect(block?.returned.map(({ name }) => name)).toEqual(['RESOURCE_KEY', '#REGION']);
  });
});

describe('what a policy reads', () => {
  test('includes joined datasources and subqueries', () => {
    expect(new Set(datasourcesOf(policy).map(({ name }) => name))).toEqual(
      new Set(['BUCKET', 'ACL', 'ACCOUNT']),
    );
  });

  test('by resource are the first datasource and those joined by the key, unless a subquery reads them', () => {
    const keys = new Set(['ARN']);
    expect([...datasourcesByResource(policy, 'RESOURCE_KEY', keys)]).toEqual(['BUCKET', 'ACL']);
    const again = `{ source { BUCKET b with ACL a }
      filter { b.ARN in { source { ACL } return { ARN } } } return { b.ARN as RESOURCE_KEY } }`;
    expect([...datasourcesByResource(read(again), 'RESOURCE_KEY', keys)]).toEqual(['BUCKET']);
    const other = '{ source { BUCKET } return { ACCOUNT_ID as RESOURCE_KEY } }';
    expect([...datasourcesByResource(read(other), 'RESOURCE_KEY', keys)]).toEqual([]);
  });

  test('includes the clock, also in a subquery', () => {
    expect(readsClock(policy)).toBe(true);
    expect(readsClock(read('{ source { BUCKET } return { ARN } }'))).toBe(false);
  });
});
