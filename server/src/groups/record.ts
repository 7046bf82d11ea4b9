import { type Static, Type } from 'typebox';
import type { Tables } from '../control/tables.ts';
import type { Scope } from '../identity/scope.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import { GroupQuery } from './query.ts';

export type GroupRow = Tables['resource_groups'];

const guid = (description: string) => Type.String({ maxLength: 100, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description });
const userName = (description: string) => Type.String({ maxLength: 320, description });

/** Has the member names of both client generations. */
export const GroupRecord = Type.Object(
  {
    resourceGroupGuid: guid('Identifier used in paths.'),
    resourceGuid: guid('Same as resourceGroupGuid.'),
    guid: guid('Same as resourceGroupGuid.'),
    name: Type.String({ maxLength: 500, description: 'Name.' }),
    resourceName: Type.String({ maxLength: 500, description: 'Same as name.' }),
    resourceType: Type.String({ maxLength: 100, description: 'Type of the resources.' }),
    description: Type.String({ maxLength: 10_000, description: 'Purpose of the group.' }),
    enabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
    isDefaultBoolean: Type.Boolean({
      description: 'Whether it is a default group, which every account has and which cannot be changed.',
    }),
    isDefault: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: 'Same as isDefaultBoolean, as a number.',
    }),
    isOrg: Type.Integer({ minimum: 0, maximum: 1, description: '1: belongs to the organization itself.' }),
    query: GroupQuery,
    props: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
        description: 'The query in the legacy form, if the group was created with it.',
      }),
    ),
    createdTime: instant('When it was created.'),
    createdBy: userName('User who created it.'),
    updatedTime: instant('When it was last changed.'),
    updatedBy: userName('User who changed it last.'),
  },
  { description: 'A resource group.' },
);
export type GroupRecord = Static<typeof GroupRecord>;

export function groupRecord(row: GroupRow, { isOrganization }: Scope): GroupRecord {
  return {
    resourceGroupGuid: row.id,
    resourceGuid: row.id,
    guid: row.id,
    name: row.name,
    resourceName: row.name,
    resourceType: row.type,
    description: row.description,
    enabled: row.enabled,
    isDefaultBoolean: row.is_default === 1,
    isDefault: row.is_default,
    isOrg: isOrganization ? 1 : 0,
    query: JSON.parse(row.query),
    ...(row.props !== null && { props: shownProps(row, row.props) }),
    createdTime: formatInstant(row.created_at),
    createdBy: row.created_by,
    updatedTime: formatInstant(row.updated_at),
    updatedBy: row.updated_by,
  };
}

function shownProps(
  { description, updated_at, updated_by }: GroupRow,
  props: string,
): Record<string, unknown> {
  return {
    ...JSON.parse(props),
    ...(description && { description }),
    updatedBy: updated_by,
    lastUpdated: updated_at,
  };
}
