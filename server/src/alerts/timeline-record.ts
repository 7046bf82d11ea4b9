import { type Static, Type } from 'typebox';
import type { TimelineRow } from './timeline.ts';

const string = (maxLength: number, description: string) => Type.String({ maxLength, description });

export const TimelineRecord = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the entry.' }),
    alertId: Type.Integer({ description: 'The alert of the entry.' }),
    entryType: string(50, 'Kind of entry, such as Comment.'),
    entryAuthorType: string(50, 'Author: UserUpdate, SystemUpdate or IntegrationUpdate.'),
    intgGuid: Type.Optional(string(100, 'The alert channel of the entry.')),
    message: Type.Object(
      {
        value: string(20_000, 'Content of the entry.'),
        format: Type.Optional(string(20, 'plaintext or markdown.')),
      },
      { description: 'Content of the entry.' },
    ),
    externalTime: string(30, 'Time in the external system; 0 if none.'),
    createdTime: Type.String({ format: 'date-time', maxLength: 30, description: 'Time of the entry.' }),
    user: Type.Object(
      {
        userGuid: string(100, 'Identifier of the user; empty for the service itself.'),
        username: string(320, 'Name of the user.'),
      },
      { description: 'Author of the entry.' },
    ),
    updateContext: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'Machine-readable details.',
    }),
  },
  { description: 'An entry of the timeline of an alert.' },
);
export type TimelineRecord = Static<typeof TimelineRecord>;

export function timelineRecord(row: TimelineRow): TimelineRecord {
  return {
    id: row.id,
    alertId: row.alert_id,
    entryType: row.entry_type,
    entryAuthorType: row.author_type,
    ...(row.channel_id !== null && { intgGuid: row.channel_id }),
    message: { value: row.message, ...(row.format !== '' && { format: row.format }) },
    externalTime: '0',
    createdTime: new Date(row.created_at).toISOString(),
    user: { userGuid: row.user_id ?? '', username: row.user_name },
    updateContext: JSON.parse(row.context) as Record<string, unknown>,
  };
}
