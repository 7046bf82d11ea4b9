import type { HostFiles } from '../host/host-files.ts';
import type { Gap } from '../source.ts';
import type { Home } from './homes.ts';
import { unreadableGap } from './unreadable-gap.ts';

/** Larger files are not keys. */
const maxSize = 64 * 1024;
const limits = { depth: 3, directories: 5_000, names: 5_000, candidates: 5_000 };
const keyName =
  /(?:^id_|^identity$|\.(?:pem|key|p8|rsa|dsa|ecdsa|ed25519|priv)$|(?:_|-|^)(?:key|rsa|dsa|ecdsa|ed25519)$)/i;
/** Caches, and programs of others, which are large. */
const skipped = new Set(['node_modules', '__pycache__', 'site-packages', 'snap', 'go', 'vendor']);
const shown = new Set(['.ssh', '.aws', '.config', '.kube', '.gnupg', '.docker', '.ansible', '.vagrant.d']);

interface Waiting {
  readonly path: string;
  /** Directories below that are looked into. */
  readonly depth: number;
  /** Whether all files are looked at, not only those with the name of a key. */
  readonly isForKeys: boolean;
}

/** The files that may be private keys: those for keys of SSH, and those with such a name in the homes of people. */
export async function privateKeyCandidates(
  files: HostFiles,
  homes: readonly Home[],
  gaps: Gap[],
): Promise<readonly string[]> {
  const waiting: Waiting[] = [{ path: '/etc/ssh', depth: 0, isForKeys: true }];
  for (const { home, isPersonal } of homes)
    waiting.push({
      path: isPersonal ? home : `${home}/.ssh`,
      depth: isPersonal ? limits.depth : 0,
      isForKeys: false,
    });
  const candidates: string[] = [];
  const seen = new Set<string>();
  const unreadable: string[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (seen.has(next.path)) continue;
    if (seen.size >= limits.directories || candidates.length >= limits.candidates) {
      gaps.push({
        what: 'private keys in homes',
        reason: `Only ${limits.directories} directories and ${limits.candidates} files are searched.`,
      });
      break;
    }
    seen.add(next.path);
    const { path, depth } = next;
    const isForKeys = next.isForKeys || path.endsWith('/.ssh');
    const names = await files.names(path, limits.names);
    if (names.is === 'unreadable') unreadable.push(names.reason);
    if (names.is !== 'read') continue;
    for (const name of names.value) {
      const one = `${path}/${name}`;
      const isWanted = isForKeys || keyName.test(name);
      const mayDescend = depth > 0 && !skipped.has(name) && (!name.startsWith('.') || shown.has(name));
      if (!isWanted && !mayDescend) continue;
      const status = await files.status(one);
      if (status.is !== 'read') continue;
      const { size } = status.value;
      if (status.value.isDirectory() && mayDescend)
        waiting.push({ path: one, depth: depth - 1, isForKeys: false });
      else if (status.value.isFile() && isWanted && size > 0 && size <= maxSize) candidates.push(one);
    }
  }
  gaps.push(...unreadableGap('private keys in directories', unreadable));
  return candidates.slice(0, limits.candidates);
}
