import type { Expression, Filter, Query } from './query.ts';
import type { GroupedResource } from './resource.ts';
import { isKeyed, type ResourceType } from './resource-types.ts';

/** Matches every value, and every key. */
const wildcard = '*';

/** Tags and labels are case-sensitive with all providers; these fields are, too. */
const exactFields: ReadonlySet<string> = new Set(['Image Tag', 'Container Tag']);

type Predicate = (resource: GroupedResource) => boolean;

/** Compiles a group to a predicate on resources. */
export function membershipOf(type: ResourceType, { filters, expression }: Query): Predicate {
  const predicates = new Map(
    Object.entries(filters).map(([name, filter]) => [name, filterPredicate(type, filter)]),
  );
  const matchesExpression = combined(expression, predicates);
  return (resource) => resource.type === type && matchesExpression(resource);
}

function combined({ operator, children }: Expression, predicates: ReadonlyMap<string, Predicate>): Predicate {
  const all = children.map((child) =>
    'filterName' in child ? (predicates.get(child.filterName) as Predicate) : combined(child, predicates),
  );
  return operator === 'AND'
    ? (resource) => all.every((predicate) => predicate(resource))
    : (resource) => all.some((predicate) => predicate(resource));
}

function filterPredicate(type: ResourceType, filter: Filter): Predicate {
  return isKeyed(filter.field) ? tagPredicate(type, filter) : valuePredicate(filter);
}

/** `*` matches all resources of the type, because every one has the field even if its value is unknown. */
function valuePredicate({ field, operation, values }: Filter): Predicate {
  if (values.includes(wildcard)) return () => true;
  const fold = exactFields.has(field) ? identity : lower;
  const matches = matcherOf(operation, values.map(fold));
  return ({ values: own }) => own[field]?.some((value) => matches(fold(value))) ?? false;
}

/** `*` matches every value of a present tag. Only Azure ignores the case of keys. */
function tagPredicate(type: ResourceType, { operation, key = wildcard, values }: Filter): Predicate {
  const matches = values.includes(wildcard) ? () => true : matcherOf(operation, values);
  if (key === wildcard) {
    return ({ tags }) => values.includes(wildcard) || [...tags.values()].some(matches);
  }
  if (type !== 'AZURE') {
    return ({ tags }) => {
      const value = tags.get(key);
      return value !== undefined && matches(value);
    };
  }
  const folded = lower(key);
  return ({ tags }) => [...tags].some(([name, value]) => lower(name) === folded && matches(value));
}

/** Uses a set for equality, because a filter may have ten thousand values. */
function matcherOf(operation: Filter['operation'], wanted: readonly string[]): (value: string) => boolean {
  const exact = new Set(wanted);
  switch (operation) {
    case 'EQUALS':
      return (value) => exact.has(value);
    case 'STARTS_WITH':
      return (value) => wanted.some((part) => value.startsWith(part));
    case 'INCLUDES':
      return (value) => wanted.some((part) => value.includes(part));
    case 'ENDS_WITH':
      return (value) => wanted.some((part) => value.endsWith(part));
  }
}

function lower(value: string): string {
  return value.toLowerCase();
}

function identity(value: string): string {
  return value;
}
