import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../platform/errors.ts';
import { type GroupProps, queryOfProps, withStringProps } from './legacy-props.ts';
import { checkQuery, type GroupQueryBody, type Query } from './query.ts';
import type { GroupRow } from './record.ts';
import type { ResourceType } from './resource-types.ts';

/** A group with its members selected by `query`, or by `props` in the legacy form. */
export interface GroupBody {
  readonly name: string;
  readonly type: ResourceType;
  readonly enabled: 0 | 1;
  readonly description: string | undefined;
  readonly query: GroupQueryBody | undefined;
  readonly props: GroupProps | undefined;
}

export type GroupChange = { readonly [Member in keyof GroupBody]: GroupBody[Member] | undefined };

/** The columns that select the members. Of both forms `query` counts; `props` is kept only if equivalent. */
export function selectionOf(
  type: ResourceType,
  given: Pick<GroupChange, 'query' | 'props'>,
): Pick<GroupRow, 'query' | 'props'> | undefined {
  const { query } = given;
  const props = given.props && withStringProps(type, given.props);
  if (query) {
    const checked = checkQuery(type, query);
    const isEquivalent = props !== undefined && isDeepStrictEqual(equivalentQuery(type, props), checked);
    return { query: JSON.stringify(checked), props: isEquivalent ? storedProps(props) : null };
  }
  return props && { query: JSON.stringify(queryOfProps(type, props)), props: storedProps(props) };
}

function equivalentQuery(type: ResourceType, props: GroupProps): Query | undefined {
  try {
    return queryOfProps(type, props);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Without the members that have their own columns. */
function storedProps({ description, updatedBy, lastUpdated, ...rest }: GroupProps): string {
  return JSON.stringify(rest);
}

export function descriptionOf({ description, props }: Pick<GroupChange, 'description' | 'props'>) {
  const legacy = props?.description;
  return description ?? (typeof legacy === 'string' ? legacy : undefined);
}
