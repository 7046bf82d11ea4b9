import { describe, expect, test } from 'vitest';
import { queryOfProps } from './legacy-props.ts';
import { checkQuery } from './query.ts';
import type { ResourceType } from './resource-types.ts';

const filter = (field: string, values: string[], key?: string) => ({
  ...{ field, operation: 'EQUALS', values },
  ...(key && { key }),
});

const cases: [ResourceType, object, string, object][] = [
  ['AWS', { accountIds: ['1', '2'] }, 'OR', { accountIds: filter('Account', ['1', '2']) }],
  [
    'AZURE',
    { tenant: 't', subscriptions: ['s'] },
    'AND',
    { tenant: filter('Tenant ID', ['t']), subscriptions: filter('Subscription ID', ['s']) },
  ],
  ['AZURE', { tenant: 't', subscriptions: null }, 'AND', { tenant: filter('Tenant ID', ['t']) }],
  [
    'GCP',
    { organization: 'o', projects: ['p', '*'] },
    'AND',
    { organization: filter('Organization ID', ['o']), projects: filter('Project ID', ['p', '*']) },
  ],
  [
    'CONTAINER',
    { containerLabels: [{ env: 'a' }, { env: 'b' }, { team: 'c' }], containerTags: ['latest'] },
    'OR',
    {
      containerLabels0: filter('Container Label', ['a', 'b'], 'env'),
      containerLabels1: filter('Container Label', ['c'], 'team'),
      containerTags: filter('Container Tag', ['latest']),
    },
  ],
  ['MACHINE', { machineTags: [{ Env: 'x' }] }, 'OR', { machineTags0: filter('Machine Tag', ['x'], 'Env') }],
  ['LW_ACCOUNT', { lwAccounts: ['a'] }, 'OR', { lwAccounts: filter('Account', ['a']) }],
];

describe('the legacy form of a group', () => {
  test.each(cases)('of %s %j is converted to a valid query', (type, props, operator, filters) => {
    const query = queryOfProps(type, props as Record<string, unknown>);
    const children = Object.keys(filters).map((filterName) => ({ filterName }));
    expect(query).toEqual({ filters, expression: { operator, children } });
    expect(checkQuery(type, query)).toEqual(query);
  });

  test.each([
    ['AWS', {}, 'props selects nothing: add accountIds'],
    ['AWS', { accountIds: [] }, 'props selects nothing'],
    ['AWS', { accountIds: 'x' }, 'props.accountIds must be an array'],
    ['AWS', { accountIds: ['1', 7] }, 'props.accountIds[1] must be a string'],
    ['AWS', { accountIds: [''] }, 'props.accountIds[0] must be a string'],
    ['AZURE', { tenant: ['t'] }, 'props.tenant must be a string'],
    ['MACHINE', { machineTags: ['x'] }, 'props.machineTags[0] must be an object'],
    ['MACHINE', { machineTags: [{}] }, 'props.machineTags[0] must be an object'],
    ['MACHINE', { machineTags: [{ a: 1 }] }, 'props.machineTags[0].a must be a string'],
    ['OCI', { compartments: ['x'] }, 'props is not supported for resourceType OCI: use query'],
    ['AWS', { accountIds: ['1'], other: 'x'.repeat(70_000) }, 'props must have at most 65536'],
  ] as const)('of %s is rejected with the member name: %#', (type, props, message) => {
    expect(() => queryOfProps(type, props)).toThrow(message);
  });
});
