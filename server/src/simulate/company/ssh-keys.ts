import { createHash } from 'node:crypto';

/** A key as reported by agents. */
export interface SshKey {
  readonly sshKeyType: 'ED25519' | 'RSA';
  readonly fingerprintOpensshMd5: string;
  readonly fingerprintOpensshSha256: string;
}

/** Deterministic by `seed`, which represents the key itself. */
export function sshKey(sshKeyType: SshKey['sshKeyType'], seed: string): SshKey {
  const sha256 = createHash('sha256').update(seed).digest('base64').slice(0, 43);
  return {
    sshKeyType,
    fingerprintOpensshMd5: `MD5:${colonSeparated('md5', seed)}`,
    fingerprintOpensshSha256: `SHA256:${sha256}`,
  };
}

/** A digest with its bytes separated by colons. */
export function colonSeparated(algorithm: 'md5' | 'sha1', seed: string): string {
  const digest = createHash(algorithm).update(seed).digest('hex');
  return (digest.match(/../g) ?? []).join(':');
}
