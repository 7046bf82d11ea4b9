/** Milliseconds. */
const [initialDelay, maxDelay, maxRetryAfter] = [1_000, 300_000, 900_000];

/**
 * How long to wait after failures. Randomly shorter by up to a half, so that the agents of a fleet do not return at the
 * same time.
 */
export function delayAfter(failures: number, random: number): number {
  return Math.min(maxDelay, initialDelay * 2 ** (failures - 1)) * (1 - random / 2);
}

/** What the server asks for, and up to a tenth more. Undefined if it asks for nothing that is understood. */
export function delayAskedFor(
  retryAfter: string | undefined,
  now: number,
  random: number,
): number | undefined {
  const delay = /^\d{1,9}$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter ?? '') - now;
  if (Number.isNaN(delay)) return undefined;
  return Math.min(maxRetryAfter, Math.max(0, delay)) * (1 + random / 10);
}
