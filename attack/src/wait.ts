import { setTimeout as sleep } from 'node:timers/promises';

const interval = 100;

/** Milliseconds until the condition holds; infinite if it does not within the limit. */
export async function timeUntil(condition: () => boolean | Promise<boolean>, limit: number): Promise<number> {
  const start = performance.now();
  while (performance.now() - start < limit) {
    if (await condition()) return performance.now() - start;
    await sleep(interval);
  }
  return Number.POSITIVE_INFINITY;
}

/** Milliseconds that the work takes; infinite if it takes longer than the limit. */
export async function timeOf(
  work: (signal: AbortSignal) => Promise<unknown>,
  limit: number,
): Promise<number> {
  const start = performance.now();
  const signal = AbortSignal.timeout(limit);
  try {
    await work(signal);
    return performance.now() - start;
  } catch (error) {
    if (signal.aborted) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
