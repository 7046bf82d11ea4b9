import type { Host } from '../host/host.ts';
import type { HostFiles } from '../host/host-files.ts';
import { readHostname } from '../machine/hostname.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { parseAuthorizedKeys } from './authorized-keys.ts';
import { type Home, readHomes } from './homes.ts';
import { KeyFiles } from './key-files.ts';
import { authorizedKeysFiles } from './key-places.ts';
import { type PrivateKey, parsePrivateKey } from './private-key.ts';
import { privateKeyCandidates } from './private-key-search.ts';
import { enumerated, unreadableGap } from './unreadable-gap.ts';

const maxBytes = { authorizedKeys: 1024 * 1024, privateKey: 64 * 1024 };
const maxRecords = 20_000;

/** Reports the SSH keys that are authorized on the host, and the private keys that lie on it. Never a key itself. */
export class KeysSource implements Source {
  readonly name = 'keys';
  readonly interval = 15 * 60_000;
  readonly #authorized = new KeyFiles(maxBytes.authorizedKeys, parseAuthorizedKeys);
  readonly #private = new KeyFiles(maxBytes.privateKey, parsePrivateKey);

  async observe({ files }: Host): Promise<Observation> {
    const gaps: Gap[] = [];
    const hostname = await readHostname(files);
    const homes = await readHomes(files);
    const search = { files, homes, gaps, common: { ...(hostname !== undefined && { hostname }) } };
    const records = {
      LW_HE_ACCESS_SSH_AUTHORIZED_KEYS: await this.#authorizedKeys(search),
      LW_HE_SECRETS_ALL: await this.#privateKeys(search),
    };
    return { records, gaps };
  }

  async #authorizedKeys(search: Search): Promise<Observed[]> {
    const { files, homes, gaps } = search;
    const unknown: string[] = [];
    const paths = await authorizedKeysFiles(files, homes, gaps);
    const records = await recordsOf('authorized keys', paths, this.#authorized, search, (value, path) => {
      if (value.unknownLines > 0) unknown.push(path);
      return value.keys;
    });
    if (unknown.length > 0)
      gaps.push({
        what: 'authorized keys',
        reason: `Lines of ${enumerated(unknown)} are not keys in a known format.`,
      });
    return records;
  }

  async #privateKeys(search: Search): Promise<Observed[]> {
    const { files, homes, gaps } = search;
    const paths = await privateKeyCandidates(files, homes, gaps);
    return recordsOf('private keys', paths, this.#private, search, (key, path) =>
      key ? [secretOf(key, path)] : [],
    );
  }
}

/** What the searches for keys share. */
interface Search {
  readonly files: HostFiles;
  readonly homes: readonly Home[];
  readonly gaps: Gap[];
  /** In all records. */
  readonly common: Observed;
}

/** The records of all keys in some files. */
async function recordsOf<Value>(
  what: string,
  paths: Iterable<string>,
  keyFiles: KeyFiles<Value>,
  { files, gaps, common }: Search,
  keysOf: (value: Value, path: string) => readonly object[],
): Promise<Observed[]> {
  const records: Observed[] = [];
  const unreadable: string[] = [];
  for (const filePath of paths) {
    const file = await keyFiles.read(files, filePath);
    if (file.is === 'unreadable') unreadable.push(file.reason);
    if (file.is !== 'read') continue;
    const { properties, value } = file.value;
    for (const key of keysOf(value, filePath)) records.push({ ...common, filePath, ...properties, ...key });
  }
  keyFiles.sweep();
  gaps.push(...unreadableGap(what, unreadable));
  if (records.length <= maxRecords) return records;
  gaps.push({ what, reason: `The host has ${records.length}; only ${maxRecords} are reported.` });
  return records.slice(0, maxRecords);
}

/** Keys in the general format are only taken for keys of SSH where these are kept. */
function secretOf(key: PrivateKey, path: string): Observed {
  const { format, isEncrypted, kind, publicKey, fingerprintPkcs8Sha1 } = key;
  const { sshKeyType: _, ...fingerprints } = publicKey ?? {};
  const isSsh = format !== 'PKCS8' || /(?:\/\.ssh|^\/etc\/ssh)\//.test(path);
  return {
    secretType: isSsh ? 'ssh_private_key' : 'private_key',
    secretMetadata: {
      ...{ encrypted: isEncrypted, format },
      ...(kind !== undefined && { keyType: kind }),
    },
    ...fingerprints,
    ...(isSsh && { sshKeyType: kind ?? 'UNKNOWN' }),
    ...(fingerprintPkcs8Sha1 !== undefined && { fingerprintPkcs8Sha1 }),
  };
}
