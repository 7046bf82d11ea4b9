import type { Kysely } from 'kysely';
import type { Tables } from '../control/tables.ts';
import type { Keyring } from '../platform/keyring.ts';
import { fingerprintServerTokens } from './server-tokens.ts';
import { correctUntriedStates } from './state.ts';

/** Upgrades rows written by earlier releases, in this store or in an archive. */
export async function upgradeLegacyRows(db: Kysely<Tables>, keyring: Keyring): Promise<void> {
  await fingerprintServerTokens(db, keyring);
  await correctUntriedStates(db);
}
