const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/** A session ends after this time without a request. */
export const idleLimit = 12 * hour;
/** A session ends after this time in any case. */
export const sessionLifetime = 7 * day;
/** The time of the last request is written at most this often. */
export const touchInterval = minute;
/** After a renewal the earlier value is accepted for this time, for requests that were sent at the same time. */
export const renewalGrace = 60 * second;
/** Changes of the password need a sign-in or the password within this time. */
export const proofLifetime = 10 * minute;
/** A user's oldest sessions end beyond this number. */
export const maxSessions = 50;
/** Ended sessions are kept for this time, to distinguish their browsers from guesses. */
export const endedRetention = day;
export const linkLifetime = hour;
/** Requests per hour, user and functionality. The console polls, and scripts have buckets of their own. */
export const sessionRateLimit = 36_000;

export function sessionEnd({ createdAt, lastUsedAt }: { createdAt: number; lastUsedAt: number }): number {
  return Math.min(createdAt + sessionLifetime, lastUsedAt + idleLimit);
}
