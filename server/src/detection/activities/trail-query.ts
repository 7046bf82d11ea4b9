import { parseInstant } from '../../platform/instant.ts';
import { recordsPerBatch } from '../../telemetry/datasource.ts';
import type { Row } from '../evaluation/row.ts';
import { membersOf, type TrailEvent, trailEventOf } from '../evaluation/trail-event.ts';

/** Selects events before a time, optionally only from batches up to a sequence number. */
export function trailQuery({ before, upTo }: { before: number; upTo?: number }): string {
  const early = upTo === undefined ? '' : `and INSERT_ID < ${(upTo + 1) * recordsPerBatch}`;
  return `{ source { CloudTrailRawEvents }
    filter { EVENT_TIME < '${new Date(before).toISOString()}'::Timestamp ${early} }
    return { INSERT_ID, EVENT_TIME, EVENT_NAME, EVENT_SOURCE, ERROR_CODE,
      EVENT:awsRegion as REGION, EVENT:recipientAccountId as RECIPIENT, EVENT:sourceIPAddress as ADDRESS,
      EVENT:userIdentity as IDENTITY, EVENT:additionalEventData as ADDITIONAL,
      EVENT:responseElements.ConsoleLogin as CONSOLE_LOGIN, EVENT:resources as RESOURCES,
      EVENT:requestParameters as PARAMETERS } }`;
}

/** An event of the query with its time and id. */
export function trailRow(row: Row): { event: TrailEvent; at: number; number: string } | undefined {
  const event = trailEventOf({
    eventName: row.EVENT_NAME,
    eventSource: row.EVENT_SOURCE,
    errorCode: row.ERROR_CODE,
    awsRegion: row.REGION,
    recipientAccountId: row.RECIPIENT,
    sourceIPAddress: row.ADDRESS,
    userIdentity: membersOf(row.IDENTITY),
    additionalEventData: membersOf(row.ADDITIONAL),
    responseElements: { ConsoleLogin: row.CONSOLE_LOGIN },
    resources: row.RESOURCES,
    requestParameters: membersOf(row.PARAMETERS),
  });
  const at = parseInstant(String(row.EVENT_TIME));
  return event && at !== undefined ? { event, at, number: String(row.INSERT_ID) } : undefined;
}
