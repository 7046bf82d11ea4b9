const early = [1_000, 4_000, 15_000];
const longest = 3_600_000;

/** How long a message is tried, from when it was made. */
export const lifetime = 86_400_000;

/** Milliseconds until the next attempt: soon at first, then twice as long each time, and never all at the same moment. */
export function delayAfter(attempts: number, random: () => number = Math.random): number {
  const last = early.at(-1) as number;
  const delay = early[attempts - 1] ?? Math.min(last * 2 ** (attempts - early.length), longest);
  return Math.round(delay * (0.9 + 0.2 * random()));
}

/** When a message that failed is tried again; never, when its time is over. Its last attempt is at the end of it. */
export function nextAttempt(
  { created_at, attempts }: { readonly created_at: number; readonly attempts: number },
  now: number,
  retryAfter = 0,
): number | undefined {
  const end = created_at + lifetime;
  return now >= end ? undefined : Math.min(now + Math.max(delayAfter(attempts), retryAfter), end);
}
