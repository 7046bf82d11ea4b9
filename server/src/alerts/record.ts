import { type Static, Type } from 'typebox';
import type { Tables } from '../control/tables.ts';
import { severities } from '../rules/severities.ts';
import { readRecord } from '../search/record.ts';
import { datasetOf } from '../search/record-fields.ts';
import { alertStatuses } from './life-cycle.ts';
import type { EntityMap } from './listing.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 30, description });
const byPeople = instant('When somebody last commented on it or closed it; left out when nobody has.');

export const AlertRecord = Type.Object(
  {
    alertId: Type.Integer({ description: 'Number of the alert in its account.' }),
    alertName: text(1_000, 'Title of the policy, or what its own alert template says.'),
    alertType: text(200, 'What kind of alert it is, such as NewViolations.'),
    severity: Type.Enum(severities, { description: 'How severe it is.' }),
    status: Type.Enum([...alertStatuses], { description: 'Whether it is open.' }),
    alertInfo: Type.Object(
      {
        subject: text(20_000, 'Who did what to which resource, and where.'),
        description: text(100_000, 'Why it matters and what to do.'),
        remediation: Type.Optional(text(20_000, 'What to do about it, as the policy says.')),
      },
      { description: 'What happened, why it matters and what to do.' },
    ),
    startTime: instant('When the alert was raised; it never changes. The time range is about it.'),
    endTime: instant('When the last violation joined it.'),
    firstEventTime: Type.Optional(
      instant('When the first of its events happened; left out where they have no time of their own.'),
    ),
    lastEventTime: Type.Optional(instant('When the last of its events happened.')),
    policyId: text(200, 'The policy that is violated.'),
    derivedFields: Type.Object(
      {
        category: text(100, 'Policy, Anomaly or Composite.'),
        sub_category: text(100, 'What it is about, such as Cloud Activity.'),
        source: text(100, 'Where it comes from, such as AWS or Agent.'),
      },
      { description: 'What alert rules match on.' },
    ),
    reachability: text(100, 'Whether the internet reaches what it is about.'),
    alertSpec: Type.Optional(
      Type.Object(
        {
          alertProfile: text(500, 'The profile.'),
          name: text(500, 'The template in it.'),
        },
        { description: 'The alert template that it was written with.' },
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
  description: 'Alerts about violations of policies.',
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
            description: 'What it is known by.',
          }),
          PROPS: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
            description: 'What is known of it.',
          }),
        }),
      ),
      { description: 'What it is about, by kind: the entities of the listed violations.' },
    ),
    violationCount: Type.Integer({ description: 'How many violations it has.' }),
    listedViolationCount: Type.Integer({
      description: 'How many of them entityMap lists: as many as the policy allows, within a megabyte.',
    }),
  },
  { description: 'An alert with what it is about.' },
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
