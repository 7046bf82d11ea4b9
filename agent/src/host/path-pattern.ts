import { posix } from 'node:path';
import type { HostFiles } from './host-files.ts';

/** The paths of a pattern, whose parts may contain `*` and `?`. Parts without them need not exist. */
export async function matchingPaths(
  files: HostFiles,
  path: string,
  maxNames: number,
): Promise<readonly string[]> {
  if (!/[*?]/.test(path)) return [path];
  const pattern = posix.basename(path);
  const paths: string[] = [];
  for (const directory of await matchingPaths(files, posix.dirname(path), maxNames))
    for (const name of await matchingNames(files, directory, pattern, maxNames))
      paths.push(posix.join(directory, name));
  return paths;
}

async function matchingNames(
  files: HostFiles,
  directory: string,
  pattern: string,
  maxNames: number,
): Promise<readonly string[]> {
  if (!/[*?]/.test(pattern)) return [pattern];
  const names = await files.names(directory, maxNames);
  return names.is === 'read' ? names.value.filter((name) => isMatch(name, pattern)) : [];
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
