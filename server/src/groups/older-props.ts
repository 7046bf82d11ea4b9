import { Refusal } from '../platform/errors.ts';
import type { Filter, Operator, Query } from './query.ts';
import type { ResourceType } from './resource-types.ts';

export type GroupProps = Readonly<Record<string, unknown>>;

interface Member {
  readonly field: string;
  readonly holds: 'text' | 'texts' | 'pairs';
}

interface Form {
  readonly joinedBy: Operator;
  readonly members: Readonly<Record<string, Member>>;
}

/** What the older form of a group chooses by. A tenant or organization narrows; lists add to one another. */
const forms: Readonly<Partial<Record<ResourceType, Form>>> = {
  AWS: { joinedBy: 'OR', members: { accountIds: { field: 'Account', holds: 'texts' } } },
  AZURE: {
    joinedBy: 'AND',
    members: {
      tenant: { field: 'Tenant ID', holds: 'text' },
      subscriptions: { field: 'Subscription ID', holds: 'texts' },
    },
  },
  GCP: {
    joinedBy: 'AND',
    members: {
      organization: { field: 'Organization ID', holds: 'text' },
      projects: { field: 'Project ID', holds: 'texts' },
    },
  },
  CONTAINER: {
    joinedBy: 'OR',
    members: {
      containerLabels: { field: 'Container Label', holds: 'pairs' },
      containerTags: { field: 'Container Tag', holds: 'texts' },
    },
  },
  MACHINE: { joinedBy: 'OR', members: { machineTags: { field: 'Machine Tag', holds: 'pairs' } } },
  LW_ACCOUNT: { joinedBy: 'OR', members: { lwAccounts: { field: 'Account', holds: 'texts' } } },
};

const longest = 65_536;
const longestText = 2_048;

/** One client writes ids as numbers; others can read texts only, so that is what is kept. */
export function withStringProps(type: ResourceType, props: GroupProps): GroupProps {
  const lists = Object.entries(forms[type]?.members ?? {})
    .filter(([name, { holds }]) => holds === 'texts' && Array.isArray(props[name]))
    .map(([name]) => [name, (props[name] as unknown[]).map(textOfId)]);
  return { ...props, ...Object.fromEntries(lists) };
}

function textOfId(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** The older form as the newer one. */
export function queryOfProps(type: ResourceType, props: GroupProps): Query {
  const form = forms[type];
  if (!form) throw refuse(`props is not supported for resourceType ${type}: use query instead.`);
  if (JSON.stringify(props).length > longest) {
    throw refuse(`props must have at most ${longest} characters as JSON: shorten it.`);
  }
  const filters = Object.entries(form.members).flatMap(([name, member]) =>
    filtersOf(name, member, props[name]),
  );
  if (filters.length === 0) {
    throw refuse(`props selects nothing: add ${Object.keys(form.members).join(' or ')}.`);
  }
  return {
    filters: Object.fromEntries(filters),
    expression: {
      operator: form.joinedBy,
      children: filters.map(([filterName]) => ({ filterName })),
    },
  };
}

/** Clients send null or an empty list for what they do not set. */
function filtersOf(name: string, { field, holds }: Member, value: unknown): [string, Filter][] {
  if (value === undefined || value === null || value === '') return [];
  const filter = { field, operation: 'EQUALS' } as const;
  if (holds === 'text') return [[name, { ...filter, values: [textAt(value, `props.${name}`)] }]];
  if (!Array.isArray(value)) throw refuse(`props.${name} must be an array.`);
  if (holds === 'texts') {
    const values = value.map((text, index) => textAt(text, `props.${name}[${index}]`));
    return values.length > 0 ? [[name, { ...filter, values }]] : [];
  }
  const valuesOf = new Map<string, string[]>();
  for (const [index, pair] of value.entries()) {
    for (const [key, text] of pairsAt(pair, `props.${name}[${index}]`)) {
      valuesOf.set(key, [...(valuesOf.get(key) ?? []), text]);
    }
  }
  return [...valuesOf].map(([key, values], index) => [`${name}${index}`, { ...filter, key, values }]);
}

function pairsAt(pair: unknown, at: string): [string, string][] {
  if (typeof pair !== 'object' || pair === null || Array.isArray(pair) || Object.keys(pair).length === 0) {
    throw refuse(`${at} must be an object with a key and its value.`);
  }
  return Object.entries(pair).map(([key, text]) => [textAt(key, at), textAt(text, `${at}.${key}`)]);
}

function textAt(value: unknown, at: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= longestText) return value;
  throw refuse(`${at} must be a string of 1 to ${longestText} characters.`);
}

function refuse(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}
