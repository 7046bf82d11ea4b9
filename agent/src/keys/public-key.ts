import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { WireReader } from './wire-reader.ts';

/** A public key of SSH, as reported. */
export interface PublicKey {
  /** `RSA`, `ED25519`, `ECDSA-SK`. */
  readonly sshKeyType: string;
  readonly fingerprintOpensshMd5: string;
  readonly fingerprintOpensshSha256: string;
  /** Only of RSA. */
  readonly fingerprintRsaMd5?: string;
}

const kinds: Readonly<Record<string, string>> = {
  'ssh-rsa': 'RSA',
  'ssh-dss': 'DSA',
  'ssh-ed25519': 'ED25519',
  'ssh-ed448': 'ED448',
  'ssh-xmss@openssh.com': 'XMSS',
  'ecdsa-sha2-nistp256': 'ECDSA',
  'ecdsa-sha2-nistp384': 'ECDSA',
  'ecdsa-sha2-nistp521': 'ECDSA',
  'sk-ssh-ed25519@openssh.com': 'ED25519-SK',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ECDSA-SK',
};

/** The kind of a key by the name of its algorithm, as `ssh-keygen -l` names it. */
export function kindOf(algorithm: string): string | undefined {
  const plain = algorithm.replace(/-cert-v0[01]@openssh\.com$/, '');
  if (plain === algorithm) return Object.hasOwn(kinds, plain) ? kinds[plain] : undefined;
  const name = [plain, `${plain}@openssh.com`].find((one) => Object.hasOwn(kinds, one));
  return name && `${kinds[name]}-CERT`;
}

/** The key of a blob. Undefined if it is none. */
export function publicKeyOf(blob: Buffer): PublicKey | undefined {
  const reader = new WireReader(blob);
  const algorithm = reader.string()?.toString('latin1');
  const kind = algorithm === undefined ? undefined : kindOf(algorithm);
  // All keys have at least one more part.
  const [first, second] = [reader.string(), reader.string()];
  if (kind === undefined || !first || first.length === 0) return undefined;
  const sha256 = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  const ofAws = kind === 'RSA' && second ? rsaFingerprint(second, first) : undefined;
  return {
    sshKeyType: kind,
    fingerprintOpensshMd5: `MD5:${colonSeparated('md5', blob)}`,
    fingerprintOpensshSha256: `SHA256:${sha256}`,
    ...(ofAws !== undefined && { fingerprintRsaMd5: ofAws }),
  };
}

/** The blob of a key that was read in another format. */
export function blobOf(key: KeyObject): Buffer | undefined {
  const { kty, crv, n, e, x, y } = key.export({ format: 'jwk' });
  const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
  if (kty === 'RSA') return wire('ssh-rsa', positive(bytes(e)), positive(bytes(n)));
  if (kty === 'OKP' && crv === 'Ed25519') return wire('ssh-ed25519', bytes(x));
  const size = { 'P-256': 256, 'P-384': 384, 'P-521': 521 }[crv ?? ''];
  if (kty !== 'EC' || size === undefined) return undefined;
  const point = Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]);
  return wire(`ecdsa-sha2-nistp${size}`, Buffer.from(`nistp${size}`), point);
}

/** A digest with its bytes separated by colons. */
export function colonSeparated(algorithm: 'md5' | 'sha1', bytes: Buffer): string {
  return (createHash(algorithm).update(bytes).digest('hex').match(/../g) ?? []).join(':');
}

/** AWS takes the digest of the key in the format of X.509. */
function rsaFingerprint(modulus: Buffer, exponent: Buffer): string | undefined {
  try {
    const [n, e] = [modulus, exponent].map((part) => part.toString('base64url'));
    const key = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n, e } as Record<string, string> });
    return colonSeparated('md5', key.export({ type: 'spki', format: 'der' }));
  } catch {
    return undefined;
  }
}

/** Numbers whose first bit is set would be negative. */
function positive(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function wire(algorithm: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    [Buffer.from(algorithm), ...parts].flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}
