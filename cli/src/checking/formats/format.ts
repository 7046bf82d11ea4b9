import type { CheckResult } from '../check-result.ts';

/** Writes the result of a check in chunks, so that a long one does not have to fit into memory. */
export type Format = (result: CheckResult) => AsyncGenerator<string>;
