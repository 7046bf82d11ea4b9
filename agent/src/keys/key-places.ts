import type { HostFiles } from '../host/host-files.ts';
import type { Gap } from '../source.ts';
import type { Home } from './homes.ts';
import { keyFileOf, parseSshdConfig } from './sshd-config.ts';

const limits = { configBytes: 256 * 1024, includes: 100, names: 1_000 };
const usual = ['.ssh/authorized_keys', '.ssh/authorized_keys2'];

/** The files that may authorize keys: the usual ones, and those of the configuration of sshd. */
export async function authorizedKeysFiles(
  files: HostFiles,
  homes: readonly Home[],
  gaps: Gap[],
): Promise<ReadonlySet<string>> {
  const patterns = new Set(usual);
  const waiting = ['/etc/ssh/sshd_config'];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path) || seen.size >= limits.includes) continue;
    seen.add(path);
    const text = await files.text(path, limits.configBytes);
    if (text.is === 'unreadable') gaps.push({ what: 'authorized keys of sshd_config', reason: text.reason });
    if (text.is !== 'read') continue;
    const { keyFiles, includes, hasCommand } = parseSshdConfig(text.value);
    for (const pattern of keyFiles) patterns.add(pattern);
    for (const include of includes) waiting.push(...(await matching(files, include)));
    if (hasCommand)
      gaps.push({
        what: 'authorized keys of a program',
        reason: `AuthorizedKeysCommand of ${path} gives keys that are not in files; they are not reported.`,
      });
  }
  const paths = [...patterns].flatMap((pattern) => homes.map((home) => keyFileOf(pattern, home)));
  return new Set(paths.filter((path) => path !== undefined));
}

/** The files of an `Include`, whose last part may have wildcards. */
async function matching(files: HostFiles, include: string): Promise<string[]> {
  const path = include.startsWith('/') ? include : `/etc/ssh/${include}`;
  const at = path.lastIndexOf('/');
  const [directory, pattern] = [path.slice(0, at), path.slice(at + 1)];
  if (!/[*?]/.test(pattern)) return [path];
  const names = await files.names(directory || '/', limits.names);
  return names.is === 'read'
    ? names.value.filter((name) => isMatch(name, pattern)).map((name) => `${directory}/${name}`)
    : [];
}

/** Without regular expressions, whose time a hostile pattern decides. */
function isMatch(name: string, pattern: string): boolean {
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
