import { createPrivateKey, createPublicKey } from 'node:crypto';
import { blobOf, colonSeparated, type PublicKey, publicKeyOf } from './public-key.ts';
import { WireReader } from './wire-reader.ts';

/** What may be reported of a private key: nothing of the key itself. */
export interface PrivateKey {
  readonly format: 'OpenSSH' | 'PEM' | 'PKCS8';
  readonly isEncrypted: boolean;
  /** `RSA`; undefined if only the password tells. */
  readonly kind?: string;
  readonly publicKey?: PublicKey;
  readonly fingerprintPkcs8Sha1?: string;
}

const begin = /^-----BEGIN (?:(OPENSSH|RSA|DSA|EC|ENCRYPTED) )?PRIVATE KEY-----[ \t]*\r?$/m;
const labels: Readonly<Record<string, string>> = { RSA: 'RSA', DSA: 'DSA', EC: 'ECDSA' };
const types: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  'rsa-pss': 'RSA',
  dsa: 'DSA',
  ec: 'ECDSA',
  ed25519: 'ED25519',
};
const magic = Buffer.from('openssh-key-v1\0');

/** The first private key of a file. Undefined if there is none. */
export function parsePrivateKey(text: string): PrivateKey | undefined {
  const found = begin.exec(text);
  if (!found) return undefined;
  const label = found[1] ?? '';
  const end = text.indexOf(`-----END ${label}${label && ' '}PRIVATE KEY-----`, found.index);
  if (end === -1) return undefined;
  const body = text.slice(found.index + found[0].length, end);
  if (label === 'OPENSSH') return openSshKey(Buffer.from(body, 'base64'));
  const format = labels[label] ? 'PEM' : 'PKCS8';
  const kind = labels[label];
  if (label === 'ENCRYPTED' || /^Proc-Type: 4,ENCRYPTED/m.test(body))
    return { format, isEncrypted: true, ...(kind !== undefined && { kind }) };
  const pem = `${found[0].trim()}${body}-----END ${label}${label && ' '}PRIVATE KEY-----\n`;
  const read = readPem(pem);
  // Placeholders of documents look like keys.
  return read && { format, isEncrypted: false, ...(kind !== undefined && { kind }), ...read };
}

/** The container of OpenSSH, whose public keys are never encrypted. */
export function openSshKey(bytes: Buffer): PrivateKey | undefined {
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const reader = new WireReader(bytes.subarray(magic.length));
  const cipher = reader.string()?.toString('latin1');
  const [derivation, options, count, blob] = [
    reader.string(),
    reader.string(),
    reader.integer(),
    reader.string(),
  ];
  if (cipher === undefined || !derivation || !options || !count || !blob || !reader.string())
    return undefined;
  const publicKey = publicKeyOf(blob);
  return {
    ...{ format: 'OpenSSH', isEncrypted: cipher !== 'none' },
    ...(publicKey && { kind: publicKey.sshKeyType, publicKey }),
  };
}

function readPem(pem: string): Partial<PrivateKey> | undefined {
  try {
    const key = createPrivateKey(pem);
    const kind = types[key.asymmetricKeyType ?? ''];
    const blob = kind === undefined || kind === 'DSA' ? undefined : blobOf(createPublicKey(key));
    const publicKey = blob && publicKeyOf(blob);
    return {
      ...(kind !== undefined && { kind }),
      ...(publicKey && { publicKey }),
      fingerprintPkcs8Sha1: colonSeparated('sha1', key.export({ type: 'pkcs8', format: 'der' })),
    };
  } catch {
    return undefined;
  }
}
