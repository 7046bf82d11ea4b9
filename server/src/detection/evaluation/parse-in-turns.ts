import { setImmediate } from 'node:timers/promises';
import type { ScheduleEntry } from './schedule-entry.ts';

/** Milliseconds for which the event loop is taken. */
const slice = 10;

/** Parses the queries of policies before they are due: those of a thousand policies would block for a second. */
export async function parseInTurns(entries: readonly ScheduleEntry[]): Promise<void> {
  let since = performance.now();
  for (const entry of entries) {
    entry.parse();
    if (performance.now() - since < slice) continue;
    await setImmediate();
    since = performance.now();
  }
}
