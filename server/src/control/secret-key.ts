import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { writePrivateFile } from '../platform/private-file.ts';
import type { ControlStore } from './store.ts';
import { sealedColumns, type Tables } from './tables.ts';

const checkId = 'check';
const checkPlaintext = 'vedette';

export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

/** Binds a ciphertext to its row, so that it can not be decrypted elsewhere. */
export function sealingContext(table: string, column: string, key: string): string {
  return `${table}.${column}:${key}`;
}

export function secretKeyFile(dataDirectory: string): string {
  return join(dataDirectory, 'secret.key');
}

/**
 * The keyring from VEDETTE_SECRET_KEY or `<data>/secret.key`, verified with a ciphertext of the first start: a wrong
 * key is reported now, not when the first channel fails.
 */
export async function openKeyring(
  store: ControlStore,
  dataDirectory: string,
  configured: readonly string[] | undefined,
): Promise<Keyring> {
  const file = secretKeyFile(dataDirectory);
  const check = await store.read
    .selectFrom('sealing_check')
    .select('sealed')
    .where('id', '=', checkId)
    .executeTakeFirst();
  const materials = configured ?? (existsSync(file) ? readKeyFile(file) : undefined);
  if (!materials && check) {
    throw new SecretKeyError(
      `${file} is missing: put it back, or set VEDETTE_SECRET_KEY to the key that sealed the data.`,
    );
  }
  const keyring = new Keyring(materials ?? [Keyring.newMaterial()]);
  if (!materials) writeKeyFile(file, keyring.materials);
  if (check) verifyKeyring(keyring, check.sealed);
  else await recordCheck(store, keyring);
  return keyring;
}

export function readKeyFile(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

export function writeKeyFile(file: string, materials: readonly string[]): void {
  writePrivateFile(file, `${materials.join('\n')}\n`);
}

/** Encrypts every secret again with the first key; returns their number without retired keys. */
export async function reencrypt(db: Kysely<Tables>, keyring: Keyring): Promise<number> {
  let sealed = 0;
  for (const { table, key, column } of sealedColumns) {
    const [tableRef, name, value] = [sql.table(table), sql.ref(key), sql.ref(column)];
    const query = sql<{
      id: string;
      ciphertext: string;
    }>`select ${name} as id, ${value} as ciphertext from ${tableRef} where ${value} is not null`;
    for (const { id, ciphertext } of (await query.execute(db)).rows) {
      const context = sealingContext(table, column, id);
      const resealed = keyring.seal(keyring.open(ciphertext, context), context);
      await sql`update ${tableRef} set ${value} = ${resealed} where ${name} = ${id}`.execute(db);
      if (table !== 'retired_keys') sealed++;
    }
  }
  return sealed;
}

/** Several nodes may start together on an empty store; the ciphertext of the first one counts. */
async function recordCheck(store: ControlStore, keyring: Keyring): Promise<void> {
  const sealed = keyring.seal(checkPlaintext, sealingContext('sealing_check', 'sealed', checkId));
  const stored = await store.housekeeping(async (tx) => {
    const own = { id: checkId, sealed };
    await tx
      .insertInto('sealing_check')
      .values(own)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .selectFrom('sealing_check')
      .select('sealed')
      .where('id', '=', checkId)
      .executeTakeFirstOrThrow();
  });
  verifyKeyring(keyring, stored.sealed);
}

function verifyKeyring(keyring: Keyring, sealed: string): void {
  try {
    keyring.open(sealed, sealingContext('sealing_check', 'sealed', checkId));
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new SecretKeyError(`${error.message} Put the right secret.key back, or set VEDETTE_SECRET_KEY.`);
  }
}
