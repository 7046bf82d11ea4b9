import type { Expression, Filter, Query } from './query.ts';
import type { GroupedResource } from './resource.ts';
import { isKeyed, type ResourceType } from './resource-types.ts';

/** Stands for every value, and for every key. */
const anything = '*';

/** Tags and labels tell upper from lower case at every provider, and so do the tags of images. */
const exactFields: ReadonlySet<string> = new Set(['Image Tag', 'Container Tag']);

type Test = (resource: GroupedResource) => boolean;

/** Whether a thing belongs to a group, prepared once for many things. */
export function membershipOf(type: ResourceType, { filters, expression }: Query): Test {
  const tests = new Map(Object.entries(filters).map(([name, filter]) => [name, testOf(type, filter)]));
  const holds = combined(expression, tests);
  return (resource) => resource.type === type && holds(resource);
}

function combined({ operator, children }: Expression, tests: ReadonlyMap<string, Test>): Test {
  const all = children.map((child) =>
    'filterName' in child ? (tests.get(child.filterName) as Test) : combined(child, tests),
  );
  return operator === 'AND'
    ? (resource) => all.every((test) => test(resource))
    : (resource) => all.some((test) => test(resource));
}

function testOf(type: ResourceType, filter: Filter): Test {
  return isKeyed(filter.field) ? tagTestOf(type, filter) : valueTestOf(filter);
}

/** Every thing of the type has the property, whether it is known or not: `*` is all of them. */
function valueTestOf({ field, operation, values }: Filter): Test {
  if (values.includes(anything)) return () => true;
  const fold = exactFields.has(field) ? same : lower;
  const matches = matcherOf(operation, values.map(fold));
  return ({ values: own }) => own[field]?.some((value) => matches(fold(value))) ?? false;
}

/** Not every thing has the tag: `*` is every value that it can have. Azure alone does not tell keys apart by case. */
function tagTestOf(type: ResourceType, { operation, key = anything, values }: Filter): Test {
  const matches = values.includes(anything) ? () => true : matcherOf(operation, values);
  if (key === anything) {
    return ({ tags }) => values.includes(anything) || [...tags.values()].some(matches);
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

/** A group may name ten thousand values. */
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

function lower(text: string): string {
  return text.toLowerCase();
}

function same(text: string): string {
  return text;
}
