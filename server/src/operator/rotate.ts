import { sealAgain, secretKeyFile, writeKeyFile } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import { Directory } from '../identity/directory.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring } from '../platform/keyring.ts';

export interface RotationParts {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  /** The keys come from VEDETTE_SECRET_KEY, not from the file. */
  readonly isConfigured: boolean;
  readonly userName: string;
}

/**
 * Seals every secret with a new key. At each moment the file holds all keys that any row needs: the new one is added,
 * the rows are sealed again, then the old ones go.
 */
export async function rotateSecretKey(parts: RotationParts): Promise<{ keyId: string; sealed: number }> {
  const { keyring, dataDirectory, isConfigured } = parts;
  if (isConfigured) {
    if (keyring.keyIds.length < 2) {
      throw new Refusal(
        'CONFLICT',
        'VEDETTE_SECRET_KEY holds one key: put the new key and a comma in front of it, restart, and rotate then.',
      );
    }
    return { sealed: await sealAll(parts), keyId: keyring.sealingKeyId };
  }
  const file = secretKeyFile(dataDirectory);
  const [added, ...old] = [Keyring.newMaterial(), ...keyring.materials] as const;
  writeKeyFile(file, [added, ...old]);
  keyring.use([added, ...old]);
  const sealed = await sealAll(parts);
  writeKeyFile(file, [added]);
  keyring.use([added]);
  return { sealed, keyId: keyring.sealingKeyId };
}

async function sealAll({ store, keyring, userName }: RotationParts): Promise<number> {
  const directory = new Directory(store, userName);
  const actor = directory.actor('Secret Key Rotated', await directory.organization());
  return store.transaction(actor, async (tx, act) => {
    const sealed = await sealAgain(tx, keyring);
    act.describe(`${sealed} secrets are sealed with the key ${keyring.sealingKeyId}`);
    return sealed;
  });
}
