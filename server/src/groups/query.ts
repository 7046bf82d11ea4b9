import { type Static, Type } from 'typebox';
import { Refusal } from '../platform/errors.ts';
import { quoted } from '../platform/quoted.ts';
import { fieldsOfType, isKeyed, type ResourceType } from './resource-types.ts';

const maxDepth = 3;
const maxLength = 262_144;

const operation = Type.Enum(['EQUALS', 'STARTS_WITH', 'INCLUDES', 'ENDS_WITH'], {
  description: 'How the field is compared.',
});
const operator = Type.Enum(['AND', 'OR'], {
  description: 'Whether all children must match, or one of them.',
});

const GroupFilter = Type.Object({
  field: Type.String({
    maxLength: 100,
    description: 'The field; the available fields depend on the resource type.',
  }),
  operation,
  values: Type.Array(Type.String({ maxLength: 2_048 }), {
    minItems: 1,
    maxItems: 10_000,
    description: 'One value must match; `*` matches everything.',
  }),
  key: Type.Optional(
    Type.Union([Type.String({ maxLength: 1_024 }), Type.Null()], {
      description: 'Key of the tag or label; only for such fields.',
    }),
  ),
});

/** Selects the members of a group. */
export const GroupQuery = Type.Object(
  {
    filters: Type.Record(Type.String({ maxLength: 500 }), GroupFilter, {
      description: 'The filters by name; names are preserved.',
    }),
    expression: Type.Object(
      {
        operator,
        children: Type.Array(Type.Unknown(), {
          maxItems: 1_000,
          description: `Each \`{filterName}\` or \`{operator, children}\`, with at most ${maxDepth} levels of nesting.`,
        }),
      },
      { description: 'How the filters are combined.' },
    ),
  },
  { description: 'Selects the resources of the group.' },
);
export type GroupQueryBody = Static<typeof GroupQuery>;

export type Operator = Static<typeof operator>;

export interface Filter {
  readonly field: string;
  readonly operation: Static<typeof operation>;
  readonly values: string[];
  readonly key?: string;
}

export interface Expression {
  readonly operator: Operator;
  readonly children: (Expression | { readonly filterName: string })[];
}

/** A validated query: all filters apply to the resource type and all names in the expression exist. */
export interface Query {
  readonly filters: Record<string, Filter>;
  readonly expression: Expression;
}

export function checkQuery(type: ResourceType, { filters, expression }: GroupQueryBody): Query {
  const checked = Object.entries(filters).map(
    ([name, filter]) => [name, checkFilter(type, filter, `query.filters.${name}`)] as const,
  );
  const names = new Set(checked.map(([name]) => name));
  const query = {
    filters: Object.fromEntries(checked),
    expression: checkExpression(expression, names, 'query.expression', 0),
  };
  if (JSON.stringify(query).length <= maxLength) return query;
  throw invalid(`query must have at most ${maxLength} characters as JSON: shorten it.`);
}

function checkFilter(type: ResourceType, filter: Static<typeof GroupFilter>, at: string): Filter {
  const { field, operation, values, key } = filter;
  const fields = fieldsOfType[type];
  if (!fields.includes(field)) {
    throw invalid(`${at}.field must be one of ${fields.join(', ')} for ${type}, not ${quoted(field)}.`);
  }
  if (isKeyed(field) && !key) throw invalid(`${at}.key is required for ${field}: add it.`);
  if (!isKeyed(field) && key) throw invalid(`${at}.key must be omitted: ${field} has none.`);
  return { field, operation, values, ...(key && { key }) };
}

interface Node {
  readonly filterName?: unknown;
  readonly operator?: unknown;
  readonly children?: unknown;
}

function checkExpression(node: Node, names: ReadonlySet<string>, at: string, depth: number): Expression {
  const { operator, children } = node;
  if (depth > maxDepth) throw invalid(`${at} must have at most ${maxDepth} levels of nesting.`);
  if (operator !== 'AND' && operator !== 'OR') throw invalid(`${at}.operator must be one of AND, OR.`);
  if (!Array.isArray(children) || children.length === 0) {
    throw invalid(`${at}.children must be a non-empty array.`);
  }
  const checked = children.map((child: unknown, index) => {
    const path = `${at}.children[${index}]`;
    if (!isNode(child)) throw invalid(`${path} must be an object with filterName, or operator and children.`);
    const { filterName } = child;
    if (filterName === undefined || filterName === null || filterName === '') {
      return checkExpression(child, names, path, depth + 1);
    }
    if (child.operator || child.children) {
      throw invalid(`${path} must have filterName, or operator and children, not both.`);
    }
    if (typeof filterName !== 'string' || !names.has(filterName)) {
      throw invalid(
        `${path}.filterName ${quoted(String(filterName))} is not in query.filters: add it there.`,
      );
    }
    return { filterName };
  });
  return { operator, children: checked };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_INPUT', message);
}
