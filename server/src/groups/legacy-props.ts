import { Refusal } from '../platform/errors.ts';
import type { Filter, Operator, Query } from './query.ts';
import type { ResourceType } from './resource-types.ts';

export type GroupProps = Readonly<Record<string, unknown>>;

interface Member {
  readonly field: string;
  readonly holds: 'string' | 'strings' | 'pairs';
}

interface PropsSchema {
  readonly operator: Operator;
  readonly members: Readonly<Record<string, Member>>;
}

/** The legacy members by resource type. A tenant or organization restricts the match; arrays are alternatives. */
const schemas: Readonly<Partial<Record<ResourceType, PropsSchema>>> = {
  AWS: { operator: 'OR', members: { accountIds: { field: 'Account', holds: 'strings' } } },
  AZURE: {
    operator: 'AND',
    members: {
      tenant: { field: 'Tenant ID', holds: 'string' },
      subscriptions: { field: 'Subscription ID', holds: 'strings' },
    },
  },
  GCP: {
    operator: 'AND',
    members: {
      organization: { field: 'Organization ID', holds: 'string' },
      projects: { field: 'Project ID', holds: 'strings' },
    },
  },
  CONTAINER: {
    operator: 'OR',
    members: {
      containerLabels: { field: 'Container Label', holds: 'pairs' },
      containerTags: { field: 'Container Tag', holds: 'strings' },
    },
  },
  MACHINE: { operator: 'OR', members: { machineTags: { field: 'Machine Tag', holds: 'pairs' } } },
  LW_ACCOUNT: { operator: 'OR', members: { lwAccounts: { field: 'Account', holds: 'strings' } } },
};

const maxLength = 65_536;
const maxStringLength = 2_048;

/** Converts ids to strings: one client writes numbers, others can only read strings. */
export function withStringProps(type: ResourceType, props: GroupProps): GroupProps {
  const arrays = Object.entries(schemas[type]?.members ?? {})
    .filter(([name, { holds }]) => holds === 'strings' && Array.isArray(props[name]))
    .map(([name]) => [name, (props[name] as unknown[]).map(idString)]);
  return { ...props, ...Object.fromEntries(arrays) };
}

function idString(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** Converts the legacy form to a query. */
export function queryOfProps(type: ResourceType, props: GroupProps): Query {
  const schema = schemas[type];
  if (!schema) throw invalid(`props is not supported for resourceType ${type}: use query instead.`);
  if (JSON.stringify(props).length > maxLength) {
    throw invalid(`props must have at most ${maxLength} characters as JSON: shorten it.`);
  }
  const filters = Object.entries(schema.members).flatMap(([name, member]) =>
    filtersOf(name, member, props[name]),
  );
  if (filters.length === 0) {
    throw invalid(`props selects nothing: add ${Object.keys(schema.members).join(' or ')}.`);
  }
  return {
    filters: Object.fromEntries(filters),
    expression: {
      operator: schema.operator,
      children: filters.map(([filterName]) => ({ filterName })),
    },
  };
}

/** Clients send null or an empty array for unset members. */
function filtersOf(name: string, { field, holds }: Member, value: unknown): [string, Filter][] {
  if (value === undefined || value === null || value === '') return [];
  const filter = { field, operation: 'EQUALS' } as const;
  if (holds === 'string') return [[name, { ...filter, values: [stringAt(value, `props.${name}`)] }]];
  if (!Array.isArray(value)) throw invalid(`props.${name} must be an array.`);
  if (holds === 'strings') {
    const values = value.map((item, index) => stringAt(item, `props.${name}[${index}]`));
    return values.length > 0 ? [[name, { ...filter, values }]] : [];
  }
  const valuesOf = new Map<string, string[]>();
  for (const [index, pair] of value.entries()) {
    for (const [key, pairValue] of pairsAt(pair, `props.${name}[${index}]`)) {
      valuesOf.set(key, [...(valuesOf.get(key) ?? []), pairValue]);
    }
  }
  return [...valuesOf].map(([key, values], index) => [`${name}${index}`, { ...filter, key, values }]);
}

function pairsAt(pair: unknown, at: string): [string, string][] {
  if (typeof pair !== 'object' || pair === null || Array.isArray(pair) || Object.keys(pair).length === 0) {
    throw invalid(`${at} must be an object with a key and its value.`);
  }
  return Object.entries(pair).map(([key, value]) => [stringAt(key, at), stringAt(value, `${at}.${key}`)]);
}

function stringAt(value: unknown, at: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxStringLength) return value;
  throw invalid(`${at} must be a string of 1 to ${maxStringLength} characters.`);
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}
