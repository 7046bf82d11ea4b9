import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectForWriting } from './control/connect.ts';
import { createTestPlace, describeOnSqlite, type TestPlace, testOnPostgres } from './testing/database.ts';
import { requestOperator } from './testing/operator.ts';
import { ServerProcess } from './testing/process.ts';
import { Reporter } from './testing/reporter.ts';

// Each test starts several processes in sequence.
vi.setConfig({ testTimeout: 180_000 });

let place: TestPlace;
let started: ServerProcess[];
beforeEach(async () => {
  place = await createTestPlace();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.kill()));
  await place.remove();
});

const inDirectory = (name: string) => join(place.directory, name);

async function start(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = new ServerProcess(place, { environment });
  started.push(server);
  await server.url();
  return server;
}

/** Initializes the data directory with one start and stop, optionally with telemetry. */
async function initialize({ telemetry = false } = {}): Promise<void> {
  const server = await start();
  if (telemetry) await new Reporter(place.directory, 1).send(await server.url(), 'batch');
  expect(await server.kill('SIGTERM')).toBe(0);
}

/** A start that must fail; returns its message, which must be a single line. */
async function failedStart(environment: Record<string, string> = {}): Promise<string> {
  const server = new ServerProcess(place, { environment });
  started.push(server);
  expect([await server.ended, server.stderr]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(server.output).not.toMatch(/^ +at /m);
  return server.stderr.trim();
}

async function change(statement: string): Promise<void> {
  const db = await connectForWriting<unknown>(place.controlUrl, 1);
  await sql.raw(statement).execute(db);
  await db.destroy();
}

describeOnSqlite('a control.db', () => {
  const file = () => inDirectory('control.db');
  const removeFile = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix, { force: true });
  };

  test('that is missing, empty or without tables next to telemetry is rejected unless VEDETTE_START_EMPTY is set', async () => {
    const reporter = new Reporter(place.directory, 3);
    const before = await start();
    await reporter.send(await before.url(), 'batch');
    const { bytes: backup } = await requestOperator(place.directory, '/backup');
    expect(await before.kill('SIGTERM')).toBe(0);
    const key = readFileSync(inDirectory('secret.key'), 'utf8');
    const expected =
      `The control store ${file()} is missing or empty, but ${inDirectory('telemetry')} holds telemetry: put it back from a copy, ` +
      'or correct VEDETTE_CONTROL_URL or VEDETTE_DATA_DIR; to restore a backup or to begin anew, start with VEDETTE_START_EMPTY=1.';
    const database = new DatabaseSync(file());
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    database.exec('pragma foreign_keys = off');
    for (const { name } of tables as { name: string }[]) database.exec(`drop table if exists "${name}"`);
    database.close();
    expect(await failedStart()).toBe(expected);
    truncateSync(file(), 0);
    expect(await failedStart()).toBe(expected);
    removeFile();
    expect(await failedStart()).toBe(expected);
    expect(existsSync(file())).toBe(false);
    const server = await start({ VEDETTE_START_EMPTY: '1' });
    expect((await fetch(`${await server.url()}/readyz`)).status).toBe(200);
    expect(readFileSync(inDirectory('secret.key'), 'utf8')).toBe(key);
    expect((await requestOperator(place.directory, '/restore', backup)).status).toBe(200);
    expect(await reporter.stored(await server.url())).toEqual(new Map([['batch', 3]]));
    await server.kill('SIGTERM');
    await start();
  });

  test('that is missing next to only a secret key is created', async () => {
    await initialize();
    removeFile();
    await start();
  });

  test('that is not a database, truncated or corrupted is detected and named', async () => {
    await initialize();
    const intact = readFileSync(file());
    for (const damaged of [
      Buffer.from('nonsense '.repeat(intact.length / 9)),
      intact.subarray(0, intact.length / 2),
      Buffer.from(intact).fill(0xab, 3 * 4096, 12 * 4096),
    ]) {
      removeFile();
      writeFileSync(file(), damaged);
      expect(await failedStart()).toMatch(
        /^The control store \S+control\.db is damaged or can not be read \(.+\): put it back .+ VEDETTE_START_EMPTY=1 and restore a backup\.$/,
      );
    }
    removeFile();
    writeFileSync(file(), intact);
    await start();
  });

  test('in a missing directory is rejected', async () => {
    const VEDETTE_CONTROL_URL = `sqlite:${inDirectory('no/control.db')}`;
    expect(await failedStart({ VEDETTE_CONTROL_URL })).toContain('does not exist: create it, or correct');
  });
});

testOnPostgres(
  'an empty database next to telemetry is rejected unless VEDETTE_START_EMPTY is set',
  async () => {
    await initialize({ telemetry: true });
    await change('drop schema public cascade');
    await change('create schema public');
    expect(await failedStart()).toContain(
      `The database of VEDETTE_CONTROL_URL is missing or empty, but ${inDirectory('telemetry')} holds telemetry`,
    );
    await start({ VEDETTE_START_EMPTY: '1' });
  },
);

describe('a schema', () => {
  test('of a newer version is rejected', async () => {
    await initialize();
    await change("insert into kysely_migration values ('0999-later', '2099-01-01T00:00:00.000Z')");
    expect(await failedStart()).toBe(
      'The control store was written by a newer version of Vedette (0999-later): start that version, or restore a backup of this one.',
    );
  });

  test('that lacks a table is rejected', async () => {
    await initialize();
    await change('drop table saved_searches');
    expect(await failedStart()).toBe(
      'The schema of the control store is damaged (table saved_searches is missing): put the store back from a copy; or start with an empty one and VEDETTE_START_EMPTY=1, and restore a backup.',
    );
  });
});

describe('the lock file', () => {
  test('is named if it is corrupted, instead of reporting the directory as in use', async () => {
    await initialize();
    writeFileSync(inDirectory('server.lock'), 'garbage '.repeat(1_000));
    expect(await failedStart()).toBe(
      `The lock file ${inDirectory('server.lock')} is not usable (file is not a database): make sure that no Vedette server uses the directory, remove the file and start again.`,
    );
    rmSync(inDirectory('server.lock'));
    await start();
  });

  test('of a running server is reported without a process id if server.pid is corrupted', async () => {
    await start();
    writeFileSync(inDirectory('server.pid'), 'garbage\nof several lines');
    expect(await failedStart()).toBe(
      `Another Vedette server is using the data directory ${place.directory}. Stop it, or set VEDETTE_DATA_DIR to another directory.`,
    );
  });
});

test('a file in place of the telemetry directory is named', async () => {
  await initialize({ telemetry: true });
  renameSync(inDirectory('telemetry'), inDirectory('moved'));
  writeFileSync(inDirectory('telemetry'), 'not a directory');
  expect(await failedStart()).toContain(inDirectory('telemetry'));
});
