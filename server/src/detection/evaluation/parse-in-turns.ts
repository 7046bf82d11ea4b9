import { LoopSlice } from '../../platform/loop-slice.ts';
import type { ScheduleEntry } from './schedule-entry.ts';

/** Parses the queries of policies before they are due: those of a thousand policies would block for a second. */
export async function parseInTurns(entries: readonly ScheduleEntry[]): Promise<void> {
  const slice = new LoopSlice();
  for (const entry of entries) {
    entry.parse();
    if (slice.isOver) await slice.next();
  }
}
