import { posix } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';
import { matchingPaths } from '../host/path-pattern.ts';
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
    for (const include of includes)
      waiting.push(...(await matchingPaths(files, posix.resolve('/etc/ssh', include), limits.names)));
    if (hasCommand)
      gaps.push({
        what: 'authorized keys of a program',
        reason: `AuthorizedKeysCommand of ${path} gives keys that are not in files; they are not reported.`,
      });
  }
  const paths = [...patterns].flatMap((pattern) => homes.map((home) => keyFileOf(pattern, home)));
  return new Set(paths.filter((path) => path !== undefined));
}
