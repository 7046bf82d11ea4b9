/** Data prevents the start of the service. The message names the problem and the fix in one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
