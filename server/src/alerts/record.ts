import { type Static, Type } from 'typebox';
import type { Tables } from '../control/tables.ts';
import { severities } from '../rules/severities.ts';
import { readRecord } from '../search/record.ts';
import { datasetOf } from '../search/record-fields.ts';
import { alertStatuses } from './life-cycle.ts';
import type { EntityMap } from './listing.ts';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description });
const byPeople = instant('When a user last commented on it or closed it; omitted if none has.');

export const AlertRecord = Type.Object(
  {
    alertId: Type.Integer({ description: 'Number of the alert in its account.' }),
    alertName: string(1_000, 'Title of the policy, or the name from its alert template.'),
    alertType: string(200, 'Alert type, such as NewViolations.'),
    severity: Type.Enum(severities, { description: 'Severity of the alert.' }),
    status: Type.Enum([...alertStatuses], { description: 'Status of the alert.' }),
    alertInfo: Type.Object(
      {
        subject: string(20_000, 'Summary: actor, action, resource and location.'),
        description: string(100_000, 'Description and remediation.'),
        remediation: Type.Optional(string(20_000, 'Remediation steps of the policy.')),
      },
      { description: 'Summary, description and remediation.' },
    ),
    startTime: instant('When the alert was raised; it never changes. Time filters apply to it.'),
    endTime: instant('When the last violation joined it.'),
    firstEventTime: Type.Optional(instant('Time of its first event; omitted if the events have no time.')),
    lastEventTime: Type.Optional(instant('Time of its last event.')),
    policyId: string(200, 'The violated policy.'),
    derivedFields: Type.Object(
      {
        category: string(100, 'Policy, Anomaly or Composite.'),
        sub_category: string(100, 'Subcategory, such as Cloud Activity.'),
        source: string(100, 'Source, such as AWS or Agent.'),
      },
      { description: 'Fields that alert rules match.' },
    ),
    reachability: string(100, 'Whether the affected resource is reachable from the internet.'),
    alertSpec: Type.Optional(
      Type.Object(
        {
          alertProfile: string(500, 'The profile.'),
          name: string(500, 'The template of the profile.'),
        },
        { description: 'The alert template that was used.' },
      ),
    ),
    lastUserUpdatedTime: Type.Optional(byPeople),
    // One client reads it under this name.
    lastUserUpdateTime: Type.Optional(byPeople),
  },
  { description: 'An alert.' },
);
export type AlertRecord = Static<typeof AlertRecord>;

export const alertsDataset = datasetOf(AlertRecord, {
  name: 'Alerts',
  description: 'Alerts on policy violations.',
  table: 'alerts',
  key: 'id',
  time: 'startTime',
  columns: {
    alertId: 'id',
    startTime: 'start_at',
    endTime: 'end_at',
    firstEventTime: 'first_event_at',
    lastEventTime: 'last_event_at',
    lastUserUpdatedTime: 'user_updated_at',
    lastUserUpdateTime: 'user_updated_at',
  },
});

export const AlertDetails = Type.Object(
  {
    ...AlertRecord.properties,
    entityMap: Type.Record(
      Type.String({ maxLength: 200 }),
      Type.Array(
        Type.Object({
          KEY: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
            description: 'Key of the entity.',
          }),
          PROPS: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
            description: 'Properties of the entity.',
          }),
        }),
      ),
      { description: 'Entities of the listed violations, by kind.' },
    ),
    violationCount: Type.Integer({ description: 'Number of violations.' }),
    listedViolationCount: Type.Integer({
      description: 'Number of violations listed in entityMap, limited by the policy and to one megabyte.',
    }),
  },
  { description: 'An alert with its entities.' },
);
export type AlertDetails = Static<typeof AlertDetails>;

export function alertDetails(row: Tables['alerts']): AlertDetails {
  const record = readRecord(row as unknown as Record<string, unknown>, alertsDataset) as AlertRecord;
  return {
    ...record,
    entityMap: JSON.parse(row.entity_map) as EntityMap,
    violationCount: row.violations,
    listedViolationCount: row.listed,
  };
}
