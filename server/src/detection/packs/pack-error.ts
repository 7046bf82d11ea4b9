/** Errors in the packs, one line each, with file, line and member. They stop the start. */
export class PackError extends Error {
  override readonly name = 'PackError';

  constructor(problems: readonly string[]) {
    super(`The built-in policies can not be used:\n${problems.join('\n')}`);
  }
}
