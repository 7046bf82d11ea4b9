import { retiredKeyRows, retireKeys } from '../control/retired-keys.ts';
import { reencrypt, secretKeyFile, writeKeyFile } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import { Directory } from '../identity/directory.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring } from '../platform/keyring.ts';

export interface RotationResult {
  readonly keyId: string;
  readonly sealed: number;
  /** Ids of the keys kept for older backups. */
  readonly retired: readonly string[];
}

export interface RotationDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  /** Whether the keys come from VEDETTE_SECRET_KEY instead of the file. */
  readonly isConfigured: boolean;
  readonly userName: string;
  readonly clock: Clock;
}

/**
 * Encrypts every secret with a new key. The file always contains all keys that rows need: the new key is added, the
 * rows are encrypted again, then the old keys are removed. The store keeps them encrypted for older backups.
 */
export async function rotateSecretKey(deps: RotationDeps): Promise<RotationResult> {
  const { keyring, dataDirectory, isConfigured } = deps;
  if (isConfigured) {
    if (keyring.keyIds.length < 2) {
      throw new Refusal(
        'CONFLICT',
        'VEDETTE_SECRET_KEY has only one key: put the new key and a comma before it, restart, then rotate.',
      );
    }
    return sealAll(deps);
  }
  const file = secretKeyFile(dataDirectory);
  const [added, ...old] = [Keyring.newMaterial(), ...keyring.materials] as const;
  writeKeyFile(file, [added, ...old]);
  keyring.use([added, ...old]);
  const rotated = await sealAll(deps);
  writeKeyFile(file, [added]);
  keyring.use([added]);
  return rotated;
}

async function sealAll({ store, keyring, userName, clock }: RotationDeps): Promise<RotationResult> {
  const directory = new Directory(store, userName);
  const actor = directory.actor('Secret Key Rotated', await directory.organization());
  return store.transaction(actor, async (tx, act) => {
    const sealed = await reencrypt(tx, keyring);
    await retireKeys(tx, keyring, keyring.materials.slice(1), clock.now());
    act.describe(`${sealed} secrets are sealed with the key ${keyring.sealingKeyId}`);
    const retired = (await retiredKeyRows(tx)).map(({ id }) => id);
    return { keyId: keyring.sealingKeyId, sealed, retired };
  });
}
