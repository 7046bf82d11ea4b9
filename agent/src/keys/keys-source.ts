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
    const common = { ...(hostname !== undefined && { hostname }) };
    const records = {
      LW_HE_ACCESS_SSH_AUTHORIZED_KEYS: await this.#authorizedKeys(files, homes, gaps, common),
      LW_HE_SECRETS_ALL: await this.#privateKeys(files, homes, gaps, common),
    };
    return { records, gaps };
  }

  async #authorizedKeys(
    files: HostFiles,
    homes: readonly Home[],
    gaps: Gap[],
    common: Observed,
  ): Promise<Observed[]> {
    const records: Observed[] = [];
    const unreadable: string[] = [];
    const unknown: string[] = [];
    for (const filePath of await authorizedKeysFiles(files, homes, gaps)) {
      const file = await this.#authorized.read(files, filePath);
      if (file.is === 'unreadable') unreadable.push(file.reason);
      if (file.is !== 'read') continue;
      const { properties, value } = file.value;
      if (value.unknownLines > 0) unknown.push(filePath);
      for (const key of value.keys) records.push({ ...common, filePath, ...properties, ...key });
    }
    gaps.push(...unreadableGap('authorized keys', unreadable));
    if (unknown.length > 0)
      gaps.push({
        what: 'authorized keys',
        reason: `Lines of ${enumerated(unknown)} are not keys in a known format.`,
      });
    this.#authorized.sweep();
    return bounded(records, 'authorized keys', gaps);
  }

  async #privateKeys(
    files: HostFiles,
    homes: readonly Home[],
    gaps: Gap[],
    common: Observed,
  ): Promise<Observed[]> {
    const records: Observed[] = [];
    const unreadable: string[] = [];
    for (const filePath of await privateKeyCandidates(files, homes, gaps)) {
      const file = await this.#private.read(files, filePath);
      if (file.is === 'unreadable') unreadable.push(file.reason);
      if (file.is !== 'read' || !file.value.value) continue;
      const { properties, value } = file.value;
      records.push({ ...common, filePath, ...secretOf(value, filePath), ...properties });
    }
    gaps.push(...unreadableGap('private keys', unreadable));
    this.#private.sweep();
    return bounded(records, 'private keys', gaps);
  }
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

function bounded(records: Observed[], what: string, gaps: Gap[]): Observed[] {
  if (records.length <= maxRecords) return records;
  gaps.push({ what, reason: `The host has ${records.length}; only ${maxRecords} are reported.` });
  return records.slice(0, maxRecords);
}
