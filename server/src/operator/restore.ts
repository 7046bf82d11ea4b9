import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { connectForWriting } from '../control/connect.ts';
import { isKnownMigration, migrate } from '../control/migrate.ts';
import { sealAgain } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { fingerprintServerTokens } from '../integrations/server-tokens.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { type ArchiveHeader, type ArchiveLine, archiveTables } from './archive.ts';
import { replaceEverything } from './replacement.ts';
import { RowBatch } from './row-batch.ts';

/** No row comes near it; what does is something else, and need not be read to its end. */
const longestLine = 16_777_216;

export interface RestoreParts {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  readonly userName: string;
}

/**
 * Replaces what the control store holds with what an archive holds. The archive is first loaded into a scratch database
 * and brought to the present schema there, so a broken or foreign one changes nothing; then one transaction swaps the
 * rows, so that every request sees the old state or the new one.
 */
export async function restore(archive: Readable, parts: RestoreParts): Promise<{ rows: number }> {
  const file = join(parts.dataDirectory, 'restore-scratch.db');
  const removeScratch = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  };
  removeScratch();
  const scratch = await connectForWriting<Tables>(`sqlite:${file}`);
  try {
    const header = await load(archive, scratch);
    await migrate(scratch as Kysely<unknown>, 'sqlite');
    await adoptSecrets(scratch, parts.keyring, header.secretKeys ?? []);
    return { rows: await swap(scratch, parts) };
  } finally {
    // What is left of a refused archive must be taken off the wire, or its sender waits for ever.
    archive.unpipe();
    archive.resume();
    await scratch.destroy();
    removeScratch();
  }
}

async function load(archive: Readable, scratch: Kysely<Tables>): Promise<ArchiveHeader> {
  let header: ArchiveHeader | undefined;
  let [rows, declared] = [0, -1];
  const batch = new RowBatch(scratch);
  for await (const line of linesOf(archive)) {
    if (!header) {
      header = readHeader(line);
      await migrate(scratch as Kysely<unknown>, 'sqlite', header.migration);
    } else if ('row' in line) {
      if (!archiveTables().includes(line.table))
        throw unreadable(`it holds an unknown table '${line.table}'`);
      await batch.add(line.table, line.row).catch(refuseMisfit);
      rows++;
    } else if ('rows' in line) {
      declared = line.rows;
    }
  }
  await batch.flush().catch(refuseMisfit);
  if (!header || rows !== declared) throw unreadable('it ends too early');
  return header;
}

async function* linesOf(archive: Readable): AsyncGenerator<ArchiveLine> {
  const text = createGunzip();
  archive.on('error', (error) => text.destroy(error));
  let rest = '';
  try {
    for await (const part of archive.pipe(text).setEncoding('utf8')) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) throw unreadable('a line is too long');
      for (const line of lines) yield parseLine(line);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable('it is not a complete gzip file');
  }
  if (rest) yield parseLine(rest);
}

function parseLine(line: string): ArchiveLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw unreadable('a line is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw unreadable('a line is not an object');
  return value as ArchiveLine;
}

/** A row that the schema refuses is the archive's fault; a full disk is not. */
function refuseMisfit(error: unknown): never {
  const { sqliteCodeName } = error as { sqliteCodeName?: string };
  const misfit = sqliteCodeName === 'SQLITE_CONSTRAINT' || sqliteCodeName === 'SQLITE_ERROR';
  throw misfit || error instanceof TypeError ? unreadable('a row does not fit into its table') : error;
}

function readHeader(line: ArchiveLine): ArchiveHeader {
  if (!('format' in line) || line.format !== 'vedette backup')
    throw unreadable('it was not made by `vedette backup`');
  if (!isKnownMigration(line.migration))
    throw unreadable('it was made by a newer version of Vedette: upgrade this one first');
  const { secretKeys = [] } = line;
  if (!Array.isArray(secretKeys) || secretKeys.some((key) => typeof key !== 'string'))
    throw unreadable('its secret keys are not texts');
  return line;
}

/** Every secret ends up sealed with this server's key, whichever key the archive brought along. */
async function adoptSecrets(
  scratch: Kysely<Tables>,
  keyring: Keyring,
  brought: readonly string[],
): Promise<void> {
  try {
    const all = new Keyring([...keyring.materials, ...brought]);
    await sealAgain(scratch, all);
    await fingerprintServerTokens(scratch, all);
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new Refusal(
      'CONFLICT',
      `${error.message} Restore an archive made with --with-key, or give the server that key in VEDETTE_SECRET_KEY.`,
    );
  }
}

async function swap(scratch: Kysely<Tables>, { store, userName }: RestoreParts): Promise<number> {
  const organization = await scratch.selectFrom('organizations').select(['id', 'name']).executeTakeFirst();
  if (!organization) throw unreadable('it holds no organization');
  return replaceEverything(store, scratch, {
    userName,
    ownerId: organization.id,
    accountName: organization.name,
    act: 'Backup Restored',
  });
}

function unreadable(reason: string): Refusal {
  return new Refusal('INVALID_INPUT', `The archive can not be restored: ${reason}.`);
}
