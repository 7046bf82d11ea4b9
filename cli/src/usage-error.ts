/** Something the user got wrong; the message says how to put it right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
