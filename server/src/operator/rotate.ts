import { retiredKeyRows, retireKeys } from '../control/retired-keys.ts';
import { sealAgain, secretKeyFile, writeKeyFile } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import { Directory } from '../identity/directory.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring } from '../platform/keyring.ts';

export interface Rotated {
  readonly keyId: string;
  readonly sealed: number;
  /** Keys that are kept for older backups, by their ids. */
  readonly retired: readonly string[];
}

export interface RotationDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  /** The keys come from VEDETTE_SECRET_KEY, not from the file. */
  readonly isConfigured: boolean;
  readonly userName: string;
  readonly clock: Clock;
}

/**
 * Seals every secret with a new key. At each moment the file holds all keys that any row needs: the new one is added,
 * the rows are sealed again, then the old ones go. They are kept in the store, sealed, because older backups need them.
 */
export async function rotateSecretKey(deps: RotationDeps): Promise<Rotated> {
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

async function sealAll({ store, keyring, userName, clock }: RotationDeps): Promise<Rotated> {
  const directory = new Directory(store, userName);
  const actor = directory.actor('Secret Key Rotated', await directory.organization());
  return store.transaction(actor, async (tx, act) => {
    const sealed = await sealAgain(tx, keyring);
    await retireKeys(tx, keyring, keyring.materials.slice(1), clock.now());
    act.describe(`${sealed} secrets are sealed with the key ${keyring.sealingKeyId}`);
    const retired = (await retiredKeyRows(tx)).map(({ id }) => id);
    return { keyId: keyring.sealingKeyId, sealed, retired };
  });
}
