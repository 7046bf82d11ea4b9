/** Data with which the service does not start. The message is one line: what is wrong with what, and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
