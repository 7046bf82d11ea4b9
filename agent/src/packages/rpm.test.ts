import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import { Programs } from '../host/programs.ts';
import { RpmDatabase } from './rpm.ts';
import { type RpmFixture, rpmHeaderOf } from './testing/rpm-header-fixture.ts';

let root: string;
let file: string;
let database: DatabaseSyncInstance;
const { signal } = new AbortController();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vedette-rpm-'));
  mkdirSync(join(root, 'usr/lib/sysimage/rpm'), { recursive: true });
  mkdirSync(join(root, 'var/lib'), { recursive: true });
  file = join(root, 'usr/lib/sysimage/rpm/rpmdb.sqlite');
  database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);
    CREATE TABLE Name (key TEXT NOT NULL, hnum INTEGER NOT NULL, idx INTEGER NOT NULL)`);
});
afterEach(() => {
  if (database.isOpen) database.close();
  rmSync(root, { recursive: true });
});

/** Programs of the directory of the test. */
class OwnPrograms extends Programs {
  override output(program: string, parameters: readonly string[]) {
    return super.output(join(root, program), parameters);
  }
}

const host = () => ({ files: new HostFiles(root), programs: new OwnPrograms(signal) });

function install(...fixtures: RpmFixture[]): void {
  const insert = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
  for (const fixture of fixtures) insert.run(rpmHeaderOf(fixture));
}

/** Moves all changes from the log to the database, as rpm does when it ends. */
function settle(): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

const pack = (name: string, more: Partial<RpmFixture> = {}): RpmFixture => ({
  ...{ name, version: '1.0', release: '1.el9', arch: 'x86_64' },
  ...more,
});

const names = async (rpm = new RpmDatabase()) => {
  const inventory = await rpm.inventory(host());
  return { names: inventory?.packages.map(({ name }) => name), gaps: inventory?.gaps };
};

test('packages are read with their epoch, and keys are left out', async () => {
  install(pack('bash'), { name: 'gpg-pubkey', version: 'a', release: 'b' }, pack('bind', { epoch: 32 }));
  const found = { arch: 'x86_64', format: 'rpm', sourceFile: '/usr/lib/sysimage/rpm/rpmdb.sqlite' };
  const expected = {
    packages: [
      { ...found, name: 'bash', version: '1.0-1.el9' },
      { ...found, name: 'bind', version: '32:1.0-1.el9' },
    ],
    gaps: [],
  };
  expect(await new RpmDatabase().inventory(host())).toEqual(expected);
  settle();
  expect(await new RpmDatabase().inventory(host())).toEqual(expected);
});

test('large headers are read, also if the architecture is far behind', async () => {
  install(pack('a', { fileNames: 300_000 }), pack('b', { description: 100_000, arch: 'noarch' }), pack('c'));
  const inventory = await new RpmDatabase().inventory(host());
  expect(inventory?.packages.map(({ name, arch }) => [name, arch])).toEqual([
    ['a', 'x86_64'],
    ['b', 'noarch'],
    ['c', 'x86_64'],
  ]);
  expect(inventory?.gaps).toEqual([]);
});

test('installed, replaced and removed packages are noticed while they are in the log', async () => {
  const rpm = new RpmDatabase();
  install(pack('a'), pack('b', { fileNames: 50_000 }));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect((await names(rpm)).names).toEqual(['a', 'b']);
  install(pack('c'));
  expect((await names(rpm)).names).toEqual(['a', 'b', 'c']);
  database.exec('DELETE FROM Packages WHERE hnum = 2');
  expect((await names(rpm)).names).toEqual(['a', 'c']);
  database.exec('PRAGMA wal_checkpoint(RESTART)');
  install(pack('d'));
  expect(await names(rpm)).toEqual({ names: ['a', 'c', 'd'], gaps: [] });
});

test('an open transaction is not visible', async () => {
  install(pack('a'));
  database.exec('PRAGMA cache_size = 1; BEGIN');
  install(...Array.from({ length: 50 }, (_, at) => pack(`b${at}`, { fileNames: 20_000 })));
  expect((await names()).names).toEqual(['a']);
  database.exec('COMMIT');
  expect((await names()).names).toHaveLength(51);
});

test('while packages are installed, what is read is one of the commits', async () => {
  const commits = new Set<string>();
  const note = () =>
    commits.add(
      (database.prepare('SELECT hnum FROM Packages').all() as { hnum: number }[])
        .map(({ hnum }) => `p${hnum}`)
        .join(),
    );
  let [number, last] = [0, 30];
  const change = () => {
    database.exec(`DELETE FROM Packages WHERE hnum % 7 = ${number % 7}`);
    note();
    install(pack(`p${++last}`, { fileNames: 20_000 }));
    note();
    if (++number % 2 === 0) database.exec('PRAGMA wal_checkpoint(RESTART)');
  };
  install(...Array.from({ length: 30 }, (_, at) => pack(`p${at + 1}`, { fileNames: 20_000 })));
  note();
  let reads = 0;
  for (let round = 0; round < 20; round++) {
    let isRead = false;
    const reading = names().finally(() => {
      isRead = true;
    });
    for (let changes = 0; changes < round && !isRead; changes++) {
      change();
      await setImmediate();
    }
    const { names: found = [], gaps = [] } = await reading;
    if (gaps.length > 0) expect(gaps).toMatchObject([{ reason: expect.stringContaining('being changed') }]);
    else {
      expect(commits).toContain(found.join());
      reads++;
    }
  }
  expect(reads).toBeGreaterThan(0);
});

test('the other directory, and links between both, are followed', async () => {
  install(pack('a'));
  symlinkSync('../../usr/lib/sysimage/rpm', join(root, 'var/lib/rpm'));
  expect((await names()).names).toEqual(['a']);
  settle();
  rmSync(join(root, 'var/lib/rpm'));
  mkdirSync(join(root, 'var/lib/rpm'));
  copyFileSync(file, join(root, 'var/lib/rpm/rpmdb.sqlite'));
  rmSync(file);
  const inventory = await new RpmDatabase().inventory(host());
  expect(inventory?.packages).toMatchObject([{ name: 'a', sourceFile: '/var/lib/rpm/rpmdb.sqlite' }]);
});

test('a host without rpm has no inventory', async () => {
  settle();
  rmSync(join(root, 'usr/lib/sysimage/rpm'), { recursive: true });
  expect(await new RpmDatabase().inventory(host())).toBeUndefined();
});

test('a database without packages is unreadable', async () => {
  expect(await names()).toEqual({
    names: [],
    gaps: [{ what: 'packages of rpm', reason: expect.stringContaining('no installed package') }],
  });
  database.exec('DROP TABLE Packages');
  expect((await names()).gaps).toMatchObject([{ reason: expect.stringContaining('no table Packages') }]);
});

test('invalid headers are a gap, and the other packages are read', async () => {
  install(pack('a'), pack('b\n'));
  database.prepare('INSERT INTO Packages (blob) VALUES (?)').run(Buffer.from('no header'));
  database.prepare('INSERT INTO Packages (blob) VALUES (?)').run('a string');
  install(pack('c'));
  expect(await names()).toMatchObject({
    names: ['a', 'c'],
    gaps: [{ reason: expect.stringContaining('3 left out') }],
  });
});

test('the number of rows is bounded, whatever they hold', async () => {
  const key = rpmHeaderOf({ name: 'gpg-pubkey', version: 'a', release: 'b' });
  const insert = database.prepare('INSERT INTO Packages (blob) VALUES (?)');
  database.exec('BEGIN');
  install(pack('a'));
  for (let row = 0; row < 20_000; row++) insert.run(key);
  database.exec('COMMIT');
  expect(await names()).toMatchObject({
    names: ['a'],
    gaps: [{ reason: expect.stringContaining('too many') }],
  });
});

test('a truncated database gives a gap, and no error', async () => {
  install(...Array.from({ length: 40 }, (_, at) => pack(`p${at}`, { fileNames: 3_000 })));
  settle();
  const whole = readFileSync(file);
  const counts = new Set<number>();
  for (let length = 0; length < whole.length; length += 4_777) {
    writeFileSync(file, whole);
    truncateSync(file, length);
    const { names: found = [], gaps } = await names();
    expect(found).toEqual(Array.from(found, (_, at) => `p${at}`));
    counts.add(found.length);
    if (found.length < 40) expect(gaps).toMatchObject([{ reason: expect.stringContaining('rpmdb.sqlite') }]);
  }
  // What is before the damage is read.
  expect(counts.size).toBeGreaterThan(5);
});

test('a database with an unfinished transaction is unreadable', async () => {
  install(pack('a'));
  settle();
  writeFileSync(`${file}-journal`, Buffer.from('d9d505f920a163d700000001', 'hex'));
  expect(await names()).toMatchObject({
    names: [],
    gaps: [{ reason: expect.stringContaining('unfinished') }],
  });
  writeFileSync(`${file}-journal`, Buffer.alloc(512));
  expect(await names()).toEqual({ names: ['a'], gaps: [] });
});

test.each(['Packages', 'Packages.db'])('the format of %s is read by rpm', async (name) => {
  settle();
  rmSync(join(root, 'usr/lib/sysimage/rpm'), { recursive: true });
  mkdirSync(join(root, 'var/lib/rpm'));
  writeFileSync(join(root, 'var/lib/rpm', name), 'x');
  const rpm = new RpmDatabase();
  const path = `/var/lib/rpm/${name}`;
  expect(await names(rpm)).toEqual({
    names: [],
    gaps: [{ what: 'packages of rpm', reason: expect.stringMatching(`^${path} .*Install rpm`) }],
  });
  const program = join(root, 'rpm');
  // It prints its parameters, so that they are compared, and one package.
  writeFileSync(
    program,
    `#!/bin/sh\necho "$@" > ${root}/parameters\nprintf 'bash\\t(none)\\t4\\t1\\tx86_64\\n'\n`,
  );
  chmodSync(program, 0o755);
  expect((await rpm.inventory(host()))?.packages).toEqual([
    { name: 'bash', version: '4-1', arch: 'x86_64', format: 'rpm', sourceFile: path },
  ]);
  expect(readFileSync(join(root, 'parameters'), 'utf8')).toMatch(
    `--dbpath ${root}/var/lib/rpm -qa --qf %{NAME}`,
  );
  // Unchanged, it is not queried again.
  rmSync(program);
  expect(await names(rpm)).toEqual({ names: ['bash'], gaps: [] });
});

test('rpm that fails or prints nothing is a gap', async () => {
  settle();
  rmSync(file);
  writeFileSync(join(root, 'usr/lib/sysimage/rpm/Packages.db'), 'x');
  const program = join(root, 'rpm');
  for (const script of ['exit 1', 'exit 0']) {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    expect(await names()).toMatchObject({ names: [], gaps: [{ what: 'packages of rpm' }] });
  }
});
