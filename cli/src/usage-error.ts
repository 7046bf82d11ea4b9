/** Error of the caller; the message names the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
