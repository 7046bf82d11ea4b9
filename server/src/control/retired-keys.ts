import type { Kysely } from 'kysely';
import { Keyring } from '../platform/keyring.ts';
import { sealingContext } from './secret-key.ts';
import type { Tables } from './tables.ts';

type RetiredKeyRow = Tables['retired_keys'];

/** Stores retired keys, encrypted with the current one, because older backups need them. */
export async function retireKeys(
  db: Kysely<Tables>,
  keyring: Keyring,
  materials: readonly string[],
  retiredAt: number,
): Promise<void> {
  const rows = materials.map((material) => {
    const id = new Keyring([material]).sealingKeyId;
    const sealed = keyring.seal(material, sealingContext('retired_keys', 'sealed', id));
    return { id, sealed, retired_at: retiredAt };
  });
  await keepRetiredKeys(db, keyring, rows);
}

/** Adds rows that are already encrypted; existing ones are kept, and the current key is never retired. */
export async function keepRetiredKeys(
  db: Kysely<Tables>,
  keyring: Keyring,
  rows: readonly RetiredKeyRow[],
): Promise<void> {
  for (const row of rows)
    await db
      .insertInto('retired_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await db.deleteFrom('retired_keys').where('id', '=', keyring.sealingKeyId).execute();
}

export function retiredKeyRows(db: Kysely<Tables>): Promise<RetiredKeyRow[]> {
  return db.selectFrom('retired_keys').selectAll().orderBy('retired_at').orderBy('id').execute();
}

export function openRetiredKeys(rows: readonly RetiredKeyRow[], keyring: Keyring): string[] {
  return rows.map(({ id, sealed }) => keyring.open(sealed, sealingContext('retired_keys', 'sealed', id)));
}
