import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

interface Key {
  readonly id: string;
  readonly material: string;
  readonly bytes: Buffer;
}

export const minKeyLength = 32;

/**
 * Encrypts secrets with AES-256-GCM. The first key encrypts, every key decrypts. To rotate: put the new key first,
 * encrypt all secrets again, remove the old key. A ciphertext names its key: `<key id>.<nonce, ciphertext and tag>`.
 */
export class Keyring {
  #keys: readonly Key[] = [];

  constructor(materials: readonly string[]) {
    this.use(materials);
  }

  static newMaterial(): string {
    return randomBytes(32).toString('base64url');
  }

  /** Replaces the keys in place, for all holders of this keyring. */
  use(materials: readonly string[]): void {
    if (materials.length === 0) throw new Error('A keyring needs at least one key.');
    this.#keys = materials.map(deriveKey);
  }

  get sealingKeyId(): string {
    return this.#sealing.id;
  }

  get keyIds(): string[] {
    return this.#keys.map((key) => key.id);
  }

  get materials(): string[] {
    return this.#keys.map((key) => key.material);
  }

  /** `context` (table, column and row) is authenticated, so that a ciphertext cannot be moved to another row. */
  seal(plaintext: string, context: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#sealing.bytes, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([
      nonce,
      cipher.update(plaintext, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${this.#sealing.id}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, context: string): string {
    const [id, body] = sealed.split('.');
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (!key || !body) throw new UnknownKeyError(id ?? '');
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, 12)).setAAD(
      Buffer.from(context),
    );
    decipher.setAuthTag(bytes.subarray(-16));
    return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
  }

  get #sealing(): Key {
    return this.#keys[0] as Key;
  }
}

export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(keyId: string) {
    super(`The data was sealed with the secret key ${keyId}, which this server does not have.`);
  }
}

function deriveKey(material: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', material, '', 'vedette sealing key', 32));
  const id = createHmac('sha256', bytes).update('key id').digest('hex').slice(0, 12);
  return { id, material, bytes };
}
