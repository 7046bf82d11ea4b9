const firstDelays = [1_000, 4_000, 15_000];
const maxDelay = 3_600_000;

/** Milliseconds after its creation for which a message is retried. */
export const lifetime = 86_400_000;

/** Milliseconds until the next attempt: exponential backoff with jitter. */
export function delayAfter(attempts: number, random: () => number = Math.random): number {
  const last = firstDelays.at(-1) as number;
  const delay = firstDelays[attempts - 1] ?? Math.min(last * 2 ** (attempts - firstDelays.length), maxDelay);
  return Math.round(delay * (0.9 + 0.2 * random()));
}

/** The time of the next attempt; undefined after the lifetime. The last attempt is at its end. */
export function nextAttempt(
  { created_at, attempts }: { readonly created_at: number; readonly attempts: number },
  now: number,
  retryAfter = 0,
): number | undefined {
  const end = created_at + lifetime;
  return now >= end ? undefined : Math.min(now + Math.max(delayAfter(attempts), retryAfter), end);
}
