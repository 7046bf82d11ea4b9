import type { Member } from './dataset.ts';

/** The hour that a record is about. */
export const window = {
  startTime: { type: 'time', description: 'When the hour begins.' },
  endTime: { type: 'time', description: 'When the hour ends.' },
} as const satisfies Record<string, Member>;

export const createdTime = {
  createdTime: { type: 'time', description: 'When it was recorded.' },
} as const satisfies Record<string, Member>;

export const mid = {
  mid: { type: 'integer', description: 'The machine.' },
} as const satisfies Record<string, Member>;
