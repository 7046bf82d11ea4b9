import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { membershipOf } from './membership.ts';
import { checkQuery, type Expression, type Filter, type Query } from './query.ts';
import type { GroupedResource } from './resource.ts';
import { fieldsOfType, isKeyed, type ResourceType, resourceTypes } from './resource-types.ts';

const resourceOf = (
  type: ResourceType,
  values: GroupedResource['values'],
  tags: Readonly<Record<string, string>> = {},
): GroupedResource => ({ type, values, tags: new Map(Object.entries(tags)) });

const filterOf = (field: string, operation: Filter['operation'], values: string[], key?: string): Filter => ({
  ...{ field, operation, values },
  ...(key !== undefined && { key }),
});

/** Evaluates a group with one filter. */
const isMember = (resource: GroupedResource, filter: Filter, type = resource.type) =>
  membershipOf(type, {
    filters: { only: filter },
    expression: { operator: 'AND', children: [{ filterName: 'only' }] },
  })(resource);

describe('a filter on a property', () => {
  const bucket = resourceOf('AWS', { Account: ['111122223333', 'Prod'], Region: ['us-east-1'] });

  test.each([
    ['EQUALS', '111122223333', true],
    ['EQUALS', '11112222333', false],
    ['STARTS_WITH', '1111', true],
    ['STARTS_WITH', '3333', false],
    ['INCLUDES', '2222', true],
    ['INCLUDES', '4', false],
    ['ENDS_WITH', '3333', true],
    ['ENDS_WITH', '1111', false],
  ] as const)('%s %s is %s', (operation, value, expected) => {
    expect(isMember(bucket, filterOf('Account', operation, [value]))).toBe(expected);
    expect(isMember(bucket, filterOf('Account', operation, ['none', value]))).toBe(expected);
  });

  test('ignores case, except in image tags', () => {
    expect(isMember(bucket, filterOf('Account', 'EQUALS', ['PROD']))).toBe(true);
    expect(isMember(bucket, filterOf('Region', 'STARTS_WITH', ['US-']))).toBe(true);
    const image = resourceOf('CONTAINER', { 'Image Tag': ['v1-RC'], 'Image Repo': ['Web'] });
    expect(isMember(image, filterOf('Image Tag', 'EQUALS', ['v1-rc']))).toBe(false);
    expect(isMember(image, filterOf('Image Tag', 'EQUALS', ['v1-RC']))).toBe(true);
    expect(isMember(image, filterOf('Image Repo', 'EQUALS', ['web']))).toBe(true);
  });

  test('with * matches all resources of its type, also without a value', () => {
    expect(isMember(bucket, filterOf('Organization ID', 'EQUALS', ['*']))).toBe(true);
    expect(isMember(bucket, filterOf('Organization ID', 'INCLUDES', ['o-1']))).toBe(false);
    expect(isMember(bucket, filterOf('Account', 'EQUALS', ['*']), 'KUBERNETES')).toBe(false);
    expect(isMember(bucket, filterOf('Account', 'EQUALS', ['1*']))).toBe(false);
  });
});

describe('a filter on tags', () => {
  const host = resourceOf('MACHINE', {}, { Env: 'production', Team: 'Blue' });

  test('compares the value of its key, with case', () => {
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['production'], 'Env'))).toBe(true);
    expect(isMember(host, filterOf('Machine Tag', 'STARTS_WITH', ['prod'], 'Env'))).toBe(true);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['Production'], 'Env'))).toBe(false);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['production'], 'env'))).toBe(false);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['production'], 'Team'))).toBe(false);
  });

  test('with * matches any value of a present key, any key, or everything', () => {
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['*'], 'Team'))).toBe(true);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['*'], 'Zone'))).toBe(false);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['Blue'], '*'))).toBe(true);
    expect(isMember(host, filterOf('Machine Tag', 'EQUALS', ['Red'], '*'))).toBe(false);
    expect(isMember(resourceOf('MACHINE', {}), filterOf('Machine Tag', 'EQUALS', ['*'], '*'))).toBe(true);
  });

  test('ignores the case of keys in Azure', () => {
    const disk = resourceOf('AZURE', {}, { CostCenter: 'A' });
    expect(isMember(disk, filterOf('Resource Tag', 'EQUALS', ['A'], 'costcenter'))).toBe(true);
    expect(isMember(disk, filterOf('Resource Tag', 'EQUALS', ['a'], 'costcenter'))).toBe(false);
  });
});

/** Reference implementation for the property test. */
function expectedMembership(
  type: ResourceType,
  { filters, expression }: Query,
  resource: GroupedResource,
): boolean {
  const compare = (operation: Filter['operation'], value: string, wanted: string) =>
    operation === 'EQUALS'
      ? value === wanted
      : operation === 'STARTS_WITH'
        ? value.indexOf(wanted) === 0
        : operation === 'INCLUDES'
          ? value.indexOf(wanted) >= 0
          : wanted.length <= value.length && value.slice(value.length - wanted.length) === wanted;
  const matches = ({ field, operation, values, key }: Filter): boolean => {
    for (const wanted of values) {
      if (isKeyed(field)) {
        if (key === '*' && wanted === '*') return true;
        for (const [name, value] of resource.tags) {
          const isKey =
            key === '*' || name === key || (type === 'AZURE' && name.toLowerCase() === key?.toLowerCase());
          if (isKey && (wanted === '*' || compare(operation, value, wanted))) return true;
        }
        continue;
      }
      if (wanted === '*') return true;
      for (const value of resource.values[field] ?? []) {
        const isExact = field.endsWith(' Tag');
        const [left, right] = isExact ? [value, wanted] : [value.toLowerCase(), wanted.toLowerCase()];
        if (compare(operation, left, right)) return true;
      }
    }
    return false;
  };
  const evaluate = ({ operator, children }: Expression): boolean => {
    const results = children.map((child) =>
      'filterName' in child ? matches(filters[child.filterName] as Filter) : evaluate(child),
    );
    return operator === 'AND' ? !results.includes(false) : results.includes(true);
  };
  return type === resource.type && evaluate(expression);
}

const word = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '*'), maxLength: 3 });
const filterNames = ['one', 'two', 'three'];

function queriesOf(type: ResourceType): fc.Arbitrary<Query> {
  const filter = fc
    .record({
      field: fc.constantFrom(...fieldsOfType[type]),
      operation: fc.constantFrom('EQUALS', 'STARTS_WITH', 'INCLUDES', 'ENDS_WITH' as const),
      values: fc.array(word, { minLength: 1, maxLength: 3 }),
      key: word.map((value) => value || '*'),
    })
    .map(({ key, ...rest }) => ({ ...rest, ...(isKeyed(rest.field) && { key }) }) as Filter);
  const leaf = fc.constantFrom(...filterNames).map((filterName) => ({ filterName }));
  const nodeOf = (depth: number): fc.Arbitrary<Expression> =>
    fc.record({
      operator: fc.constantFrom('AND' as const, 'OR' as const),
      children: fc.array(depth < 3 ? fc.oneof(leaf, nodeOf(depth + 1)) : leaf, {
        minLength: 1,
        maxLength: 3,
      }),
    });
  return fc.record({
    filters: fc.tuple(filter, filter, filter).map((all) => {
      return Object.fromEntries(all.map((each, index) => [filterNames[index] as string, each]));
    }),
    expression: nodeOf(0),
  });
}

function resourcesOf(type: ResourceType): fc.Arbitrary<GroupedResource> {
  const field = fc.constantFrom(...fieldsOfType[type].filter((name) => !isKeyed(name)), 'other');
  return fc.record({
    type: fc.constantFrom(type, type, type, 'AWS' as const),
    values: fc.dictionary(field, fc.array(word, { maxLength: 3 }), { noNullPrototype: true }),
    tags: fc.array(fc.tuple(word, word), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  });
}

test('any group of any type agrees with the reference implementation', () => {
  let members = 0;
  const cases = fc
    .constantFrom(...resourceTypes)
    .chain((type) => fc.tuple(fc.constant(type), queriesOf(type), resourcesOf(type)));
  const runs = Number(process.env.VEDETTE_FUZZ ?? 3_000);
  fc.assert(
    fc.property(cases, ([type, query, resource]) => {
      const expected = expectedMembership(type, query, resource);
      members += expected ? 1 : 0;
      expect(membershipOf(type, checkQuery(type, query))(resource)).toBe(expected);
    }),
    { numRuns: runs },
  );
  expect(members).toBeGreaterThan(runs / 10);
  expect(members).toBeLessThan((runs * 9) / 10);
});
