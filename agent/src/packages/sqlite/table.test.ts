import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BufferAccess } from '../testing/buffer-access.ts';
import { CheckedBytes } from './checked-bytes.ts';
import { DamagedDatabase } from './damaged-database.ts';
import { Pages } from './pages.ts';
import type { RandomAccess } from './random-access.ts';
import { columnsOf } from './record.ts';
import { rootPageOf } from './schema.ts';
import { rowsOf } from './table.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-sqlite-'));
  file = join(directory, 'test.sqlite');
});
afterEach(() => rmSync(directory, { recursive: true }));

function created(pageSize: number, pragmas = ''): DatabaseSyncInstance {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA page_size = ${pageSize}; ${pragmas}
    CREATE TABLE other (a, b); CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);
    CREATE TABLE more (c); CREATE INDEX i ON other (a);`);
  return database;
}

const blobOf = (bytes: number) => Buffer.alloc(bytes, `${bytes} `);

function insert(database: DatabaseSyncInstance, sizes: readonly number[]): void {
  const statement = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
  database.exec('BEGIN');
  for (const bytes of sizes) statement.run(blobOf(bytes));
  database.exec('COMMIT');
}

function stored(database: DatabaseSyncInstance): string[] {
  const rows = database.prepare('SELECT blob FROM Packages ORDER BY hnum').all() as { blob: Uint8Array }[];
  return rows.map(({ blob }) => Buffer.from(blob).toString('latin1'));
}

async function blobsOf(database: RandomAccess, log?: RandomAccess): Promise<string[]> {
  const pages = await Pages.open(database, log);
  const root = await rootPageOf(pages, 'Packages');
  if (root === undefined) throw new DamagedDatabase('There is no table.');
  const blobs: string[] = [];
  for await (const row of rowsOf(pages, root)) {
    const bytes = await row.prefix(1_000_000);
    const column = columnsOf(new CheckedBytes(bytes))[1];
    if (column?.kind === 'blob')
      blobs.push(bytes.subarray(column.offset, column.offset + column.bytes).toString('latin1'));
  }
  return blobs;
}

const access = (suffix = '') => new BufferAccess(readFileSync(`${file}${suffix}`));

test.each([512, 1024, 4096, 65_536])('rows of a database with pages of %d bytes', async (pageSize) => {
  const database = created(pageSize);
  // Around the sizes at which a row overflows, and at which its last overflow page is full.
  const edges = [-40, -39, -38, -37, -36, -35, -34, -5, -4, -3, 0, 1].flatMap((less) => [
    pageSize + less,
    2 * pageSize + less,
    5 * pageSize + less,
  ]);
  insert(database, [0, 1, 10, 200, ...edges, ...Array.from({ length: 500 }, (_, at) => at)]);
  database.exec('DELETE FROM Packages WHERE hnum % 3 = 0');
  insert(database, [7, 3 * pageSize, 9]);
  const all = stored(database);
  database.close();
  expect(await blobsOf(access())).toEqual(all);
});

test.each(['utf-8', 'utf-16le', 'utf-16be'])('the encoding %s', async (encoding) => {
  const database = created(4096, `PRAGMA encoding = '${encoding}';`);
  insert(database, [1, 2]);
  database.close();
  expect(await blobsOf(access())).toHaveLength(2);
});

test.each([512, 4096, 65_536])(
  'changes in the log of a database with pages of %d bytes',
  async (pageSize) => {
    const database = created(pageSize, 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
    insert(database, [1, 100_000, 20, 3_000]);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const checkpointed = await blobsOf(access(), access('-wal'));
    expect(checkpointed).toEqual(stored(database));
    database.exec('DELETE FROM Packages WHERE hnum = 2');
    insert(database, [50_000, 5]);
    const all = stored(database);
    expect(all).not.toEqual(checkpointed);
    expect(await blobsOf(access(), access('-wal'))).toEqual(all);
    expect(await blobsOf(access())).toEqual(checkpointed);

    // The log starts anew, and frames of earlier transactions are behind those of the last one.
    database.exec('PRAGMA wal_checkpoint(RESTART)');
    insert(database, [6]);
    expect(await blobsOf(access(), access('-wal'))).toEqual(stored(database));
    database.close();
  },
);

test('a database that is in its log only', async () => {
  const database = created(4096, 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
  insert(database, [1, 10_000]);
  const log = access('-wal');
  expect(await blobsOf(new BufferAccess(Buffer.alloc(0)), log)).toEqual(stored(database));
  database.close();
});

test('a log that was not written to its end gives the last commit', async () => {
  const database = created(512, 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
  const commits = [stored(database)];
  for (const bytes of [10, 2_000, 300]) {
    insert(database, [bytes]);
    commits.push(stored(database));
  }
  const [file, log] = [access(), readFileSync(`${directory}/test.sqlite-wal`)];
  database.close();
  const blobs = commits.map((commit) => commit.join());
  let last = -1;
  for (let length = 32; length <= log.length; length += 67) {
    const found = await blobsOf(file, new BufferAccess(log.subarray(0, length))).catch(damage);
    if (found === undefined) continue;
    const at = blobs.indexOf(found.join());
    expect(at).toBeGreaterThanOrEqual(last);
    last = at;
  }
  expect(await blobsOf(file, new BufferAccess(log))).toEqual(commits.at(-1));
  // A changed byte ends the log before it.
  log[log.length - 1] = (log.at(-1) as number) ^ 1;
  expect(await blobsOf(file, new BufferAccess(log))).toEqual(commits.at(-2));
});

/** Anything else than a damaged database is a defect. */
function damage(error: unknown): undefined {
  expect(error).toBeInstanceOf(DamagedDatabase);
}

test('a damaged database is damaged, or has rows, and is read to an end', async () => {
  const database = created(512);
  insert(database, [5, 100, 700, 3_000, ...Array(100).fill(30)]);
  database.close();
  const bytes = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 0, max: bytes.length }),
      fc.boolean(),
      async (changes, length, isTruncated) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at] = value;
        await blobsOf(new BufferAccess(isTruncated ? changed.subarray(0, length) : changed)).catch(damage);
      },
    ),
    { numRuns: 500 },
  );
});

test('a damaged log does no harm', async () => {
  const database = created(512, 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
  insert(database, [5, 100, 700]);
  const [file, log] = [access(), readFileSync(`${directory}/test.sqlite-wal`)];
  database.close();
  await fc.assert(
    fc.asyncProperty(fc.nat(200), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(log);
      changed[at] = value;
      await blobsOf(file, new BufferAccess(changed)).catch(damage);
    }),
  );
});

test('any bytes are no database', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 1_000 }), async (bytes) => {
      const noise = new BufferAccess(Buffer.from(bytes));
      await expect(blobsOf(noise, noise)).rejects.toBeInstanceOf(DamagedDatabase);
    }),
  );
});

test('pages in a circle are damage', async () => {
  const database = created(512);
  insert(database, Array(200).fill(100));
  const { rootpage } = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'Packages'")
    .get() as {
    rootpage: number;
  };
  database.close();
  const bytes = readFileSync(file);
  const root = (rootpage - 1) * 512;
  expect(bytes[root]).toBe(5);
  bytes.writeUInt32BE(rootpage, root + 8);
  await expect(blobsOf(new BufferAccess(bytes))).rejects.toThrow('twice');
});

test('no more overflow pages are read than rows without cycles have', async () => {
  const database = created(512);
  insert(database, [200_000]);
  database.close();
  const pages = await Pages.open(access());
  const root = (await rootPageOf(pages, 'Packages')) ?? 0;
  for await (const row of rowsOf(pages, root)) {
    for (let time = 0; time < 2; time++) expect(await row.prefix(300_000)).toHaveLength(row.bytes);
    await expect(row.prefix(300_000)).rejects.toThrow('cycle');
    // What is in the tree itself needs none of them.
    expect(await row.prefix(10)).toHaveLength(10);
  }
});
