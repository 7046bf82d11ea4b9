import type { HourSource } from './datasource.ts';

/** Columns of records that cover an hour. */
export const batchWindow = { BATCH_START_TIME: 'startTime', BATCH_END_TIME: 'endTime' } as const;

export interface HourColumn {
  readonly from: HourSource;
  readonly description: string;
}

/** Columns of records with one timestamp: the hour that contains it. */
export function batchHour(of: string): { BATCH_START_TIME: HourColumn; BATCH_END_TIME: HourColumn } {
  return {
    BATCH_START_TIME: { from: { hour: 'start', of }, description: 'Start of the hour.' },
    BATCH_END_TIME: { from: { hour: 'end', of }, description: 'End of the hour.' },
  };
}
