import { relative } from 'node:path';

/** Relative to the working directory, if it is below it. */
export function shortPath(path: string): string {
  const relativePath = relative('', path);
  return relativePath.startsWith('..') ? path : relativePath;
}
