import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { connectForWriting } from '../control/connect.ts';
import { isKnownMigration, migrate } from '../control/migrate.ts';
import { sealAgain } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import type { TableName, Tables } from '../control/tables.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import {
  type ArchiveHeader,
  type ArchiveLine,
  archiveTables,
  type Row,
  rowsAtOnce,
  rowsOf,
} from './archive.ts';

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
  const scratch = connectForWriting<Tables>(`sqlite:${file}`);
  try {
    const header = await load(archive, scratch);
    await migrate(scratch as Kysely<unknown>, 'sqlite');
    await adoptSecrets(scratch, parts.keyring, header.secretKeys ?? []);
    return { rows: await swap(scratch, parts) };
  } finally {
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
      await batch.add(line.table, line.row);
      rows++;
    } else if ('rows' in line) {
      declared = line.rows;
    }
  }
  await batch.flush();
  if (!header || rows !== declared) throw unreadable('it ends too early');
  return header;
}

async function* linesOf(archive: Readable): AsyncGenerator<ArchiveLine> {
  const text = createGunzip();
  archive.on('error', (error) => text.destroy(error));
  let failure: Error | undefined;
  text.on('error', (error) => {
    failure = error;
    lines.close();
  });
  const lines = createInterface({ input: archive.pipe(text), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    try {
      yield JSON.parse(line) as ArchiveLine;
    } catch (error) {
      throw error instanceof SyntaxError ? unreadable('a line is not JSON') : error;
    }
  }
  if (failure) throw unreadable('it is not a complete gzip file');
}

function readHeader(line: ArchiveLine): ArchiveHeader {
  if (!('format' in line) || line.format !== 'vedette backup')
    throw unreadable('it was not made by `vedette backup`');
  if (!isKnownMigration(line.migration))
    throw unreadable('it was made by a newer version of Vedette: upgrade this one first');
  return line;
}

/** Every secret ends up sealed with this server's key, whichever key the archive brought along. */
async function adoptSecrets(
  scratch: Kysely<Tables>,
  keyring: Keyring,
  brought: readonly string[],
): Promise<void> {
  try {
    await sealAgain(scratch, new Keyring([...keyring.materials, ...brought]));
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
  const actor = {
    userName,
    ownerId: organization.id,
    accountName: organization.name,
    act: 'Backup Restored',
  };
  return store.transaction(actor, async (tx, act) => {
    for (const table of archiveTables().reverse()) await tx.deleteFrom(table).execute();
    let rows = 0;
    const batch = new RowBatch(tx);
    for (const table of archiveTables()) {
      for await (const row of rowsOf(scratch, table)) {
        await batch.add(table, row);
        rows++;
      }
    }
    await batch.flush();
    act.describe(`${rows} rows replaced everything before`);
    return rows;
  });
}

/** Inserts rows of one table after another in batches. */
class RowBatch {
  readonly #db: Kysely<Tables>;
  #table: TableName | undefined;
  #rows: Row[] = [];

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async add(table: TableName, row: Row): Promise<void> {
    if (table !== this.#table || this.#rows.length >= rowsAtOnce) await this.flush();
    this.#table = table;
    this.#rows.push(row);
  }

  async flush(): Promise<void> {
    if (!this.#table || this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    await this.#db
      .insertInto(this.#table)
      .values(rows as never)
      .execute();
    await new Promise((resume) => setImmediate(resume));
  }
}

function unreadable(reason: string): Refusal {
  return new Refusal('INVALID_INPUT', `The archive can not be restored: ${reason}.`);
}
