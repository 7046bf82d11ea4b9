import { setTimeout } from 'node:timers/promises';

/** Resolves after the time, or earlier if the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
