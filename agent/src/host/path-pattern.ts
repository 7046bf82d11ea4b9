import { posix } from 'node:path';
import type { HostFiles } from './host-files.ts';

/** The paths that exist of a pattern, whose last part may contain `*` and `?`; one without them stands for itself. */
export async function matchingPaths(
  files: HostFiles,
  path: string,
  maxNames: number,
): Promise<readonly string[]> {
  const [directory, pattern] = [posix.dirname(path), posix.basename(path)];
  if (!/[*?]/.test(pattern)) return [path];
  const names = await files.names(directory, maxNames);
  if (names.is !== 'read') return [];
  return names.value.filter((name) => isMatch(name, pattern)).map((name) => posix.join(directory, name));
}

/** Without regular expressions, whose time a hostile pattern decides. */
export function isMatch(name: string, pattern: string): boolean {
  let [at, star, mark] = [0, -1, 0];
  let index = 0;
  while (index < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      mark = index;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++mark;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
