/** Errors in the packs, one line each, with file, line and member. The service does not start with such errors. */
export class PackError extends Error {
  override readonly name = 'PackError';

  constructor(problems: readonly string[]) {
    super(`The built-in policies can not be used:\n${problems.join('\n')}`);
  }
}
