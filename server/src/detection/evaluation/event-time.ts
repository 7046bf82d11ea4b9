import { parseInstant } from '../../platform/instant.ts';
import type { Row } from './row.ts';

/** Columns with the event time, most precise first; the time of recording is the last resort. */
const columns = [
  ...['EVENT_TIME', 'LOGIN_TIME', 'LOGOFF_TIME', 'MODIFIED_TIME', 'ACTIVITY_START_TIME'],
  ...['CONN_START_TIME', 'PROCESS_START_TIME', 'CONTAINER_START_TIME', 'RECORD_CREATED_TIME'],
] as const;

/** The event time of a row; undefined for a state without one. */
export function eventTimeOf(row: Row): number | undefined {
  for (const column of columns) {
    const value = row[column];
    const at = typeof value === 'string' ? parseInstant(value) : undefined;
    if (at !== undefined && at >= 0) return at;
  }
  return undefined;
}
