import type { HourSource } from './datasource.ts';

/** Of records about an hour. */
export const batchWindow = { BATCH_START_TIME: 'startTime', BATCH_END_TIME: 'endTime' } as const;

export interface HourColumn {
  readonly from: HourSource;
  readonly description: string;
}

/** Of records about a moment: the hour that it lies in. */
export function batchHour(of: string): { BATCH_START_TIME: HourColumn; BATCH_END_TIME: HourColumn } {
  return {
    BATCH_START_TIME: { from: { hour: 'start', of }, description: 'Start of the hour.' },
    BATCH_END_TIME: { from: { hour: 'end', of }, description: 'End of the hour.' },
  };
}
