import { parseInstant } from '../../platform/instant.ts';
import { recordsPerBatch } from '../../telemetry/datasource.ts';
import type { Row } from '../evaluation/row.ts';
import type { ActivityStream, CloudEvent } from './activity-stream.ts';

/** Selects events before a time, optionally only from batches up to a sequence number. */
export function activityQuery(
  { dataset, columns }: ActivityStream,
  { before, upTo }: { before: number; upTo?: number },
): string {
  const early = upTo === undefined ? '' : `and INSERT_ID < ${(upTo + 1) * recordsPerBatch}`;
  return `{ source { ${dataset.path} }
    filter { EVENT_TIME < '${new Date(before).toISOString()}'::Timestamp ${early} }
    return { INSERT_ID, EVENT_TIME, ${columns} } }`;
}

/** An event of the query with its time and id. */
export function eventOf(
  stream: ActivityStream,
  row: Row,
): { event: CloudEvent; at: number; number: string } | undefined {
  const event = stream.event(row);
  const at = parseInstant(String(row.EVENT_TIME));
  return event && at !== undefined ? { event, at, number: String(row.INSERT_ID) } : undefined;
}
