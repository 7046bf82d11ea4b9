import { createHash } from 'node:crypto';

/** What agents tell of a key. */
export interface SshKey {
  readonly sshKeyType: 'ED25519' | 'RSA';
  readonly fingerprintOpensshMd5: string;
  readonly fingerprintOpensshSha256: string;
}

/** The same one for the same words, which stand for the key itself. */
export function sshKey(sshKeyType: SshKey['sshKeyType'], words: string): SshKey {
  const sha256 = createHash('sha256').update(words).digest('base64').slice(0, 43);
  return {
    sshKeyType,
    fingerprintOpensshMd5: `MD5:${colonised('md5', words)}`,
    fingerprintOpensshSha256: `SHA256:${sha256}`,
  };
}

/** A digest with a colon after every byte. */
export function colonised(algorithm: 'md5' | 'sha1', words: string): string {
  const digest = createHash(algorithm).update(words).digest('hex');
  return (digest.match(/../g) ?? []).join(':');
}
