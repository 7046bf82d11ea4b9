import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import type { FileWork } from '../host/regular-file.ts';
import { readRpmSqlite } from './rpm-sqlite.ts';
import { rpmHeaderOf } from './testing/rpm-header-fixture.ts';

const path = '/var/lib/rpm/rpmdb.sqlite';
let root: string;
let database: DatabaseSyncInstance;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vedette-rpm-'));
  mkdirSync(join(root, 'var/lib/rpm'), { recursive: true });
  database = new DatabaseSync(join(root, path));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL)`);
  install('a');
});
afterEach(() => {
  database.close();
  rmSync(root, { recursive: true });
});

function install(name: string): void {
  const header = rpmHeaderOf({ name, version: '1', release: '1', arch: 'noarch' });
  database.prepare('INSERT INTO Packages (blob) VALUES (?)').run(header);
}

/** Changes the database when a file is looked up for the nth time: the last look-ups come after it was read. */
class ChangingFiles extends HostFiles {
  readonly #change: (suffix: string, time: number) => void;
  readonly #times = new Map<string, number>();

  constructor(change: (suffix: string, time: number) => void) {
    super(root);
    this.#change = change;
  }

  override place(file: string) {
    this.#lookUp(file);
    return super.place(file);
  }

  override opened<Value>(file: string, work: FileWork<Value>) {
    this.#lookUp(file);
    return super.opened(file, work);
  }

  #lookUp(file: string): void {
    const time = (this.#times.get(file) ?? 0) + 1;
    this.#times.set(file, time);
    this.#change(file.slice(path.length), time);
  }
}

const names = async (files: HostFiles) => {
  const table = await readRpmSqlite(files, path);
  return table.is === 'read' ? table.value.packages.map(({ name }) => name) : table;
};

test('it is read again if its file was written meanwhile', async () => {
  const files = new ChangingFiles((suffix, time) => {
    if (suffix !== '' || time !== 3) return;
    install('b');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  });
  expect(await names(files)).toEqual(['a', 'b']);
});

test('it is read again if its log was started anew meanwhile', async () => {
  database.exec('PRAGMA wal_checkpoint(FULL)');
  const files = new ChangingFiles((suffix, time) => {
    if (suffix === '-wal' && time === 3) install('b');
  });
  expect(await names(files)).toEqual(['a', 'b']);
});

test('what is only added to the log is read the next time', async () => {
  const files = new ChangingFiles((suffix, time) => {
    if (suffix === '-wal' && time === 3) install('b');
  });
  expect(await names(files)).toEqual(['a']);
  expect(await names(files)).toEqual(['a', 'b']);
});

test('a database that changes all the time is unreadable', async () => {
  const files = new ChangingFiles((suffix) => {
    if (suffix !== '') return;
    install('b');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  });
  expect(await names(files)).toEqual({ is: 'unreadable', reason: expect.stringContaining('being changed') });
});

test('a database that does not exist is absent', async () => {
  expect(await readRpmSqlite(new HostFiles(root), '/missing')).toEqual({ is: 'absent' });
});
