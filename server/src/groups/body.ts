import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../platform/errors.ts';
import { type GroupProps, queryOfProps, withStringProps } from './older-props.ts';
import { checkQuery, type GroupQueryBody, type Query } from './query.ts';
import type { GroupRow } from './record.ts';
import type { ResourceType } from './resource-types.ts';

/** A group in one of its two forms: `query` is the newer one, `props` the older one. */
export interface GroupBody {
  readonly name: string;
  readonly type: ResourceType;
  readonly enabled: 0 | 1;
  readonly description: string | undefined;
  readonly query: GroupQueryBody | undefined;
  readonly props: GroupProps | undefined;
}

export type GroupChange = { readonly [Member in keyof GroupBody]: GroupBody[Member] | undefined };

/** The columns that say what belongs to the group. Of both forms the newer one counts; the older stays if it agrees. */
export function choiceOf(
  type: ResourceType,
  given: Pick<GroupChange, 'query' | 'props'>,
): Pick<GroupRow, 'query' | 'props'> | undefined {
  const { query } = given;
  const props = given.props && withStringProps(type, given.props);
  if (query) {
    const checked = checkQuery(type, query);
    const agrees = props !== undefined && isDeepStrictEqual(meaningOf(type, props), checked);
    return { query: JSON.stringify(checked), props: agrees ? storedProps(props) : null };
  }
  return props && { query: JSON.stringify(queryOfProps(type, props)), props: storedProps(props) };
}

function meaningOf(type: ResourceType, props: GroupProps): Query | undefined {
  try {
    return queryOfProps(type, props);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Without what the record shows from columns of its own. */
function storedProps({ description, updatedBy, lastUpdated, ...own }: GroupProps): string {
  return JSON.stringify(own);
}

export function descriptionOf({ description, props }: Pick<GroupChange, 'description' | 'props'>) {
  const older = props?.description;
  return description ?? (typeof older === 'string' ? older : undefined);
}
