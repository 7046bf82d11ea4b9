import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { requestOperator } from '../testing/operator.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';
import { restrictPermissions } from './file-modes.ts';
import { createLog } from './log.ts';

let place: TestPlace;
let server: ServerProcess | undefined;
beforeEach(async () => {
  place = await createTestPlace();
});
afterEach(async () => {
  await server?.kill();
  await place.remove();
});

/** Files below the data directory with permissions for group or others. */
const accessible = () =>
  readdirSync(place.directory, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, lstatSync(join(place.directory, name), { throwIfNoEntry: false })] as const)
    .filter(([, entry]) => entry && (entry.mode & 0o077) !== 0)
    .map(([name]) => name);
const names = () => readdirSync(place.directory, { recursive: true, encoding: 'utf8' });

test('every file of a server is accessible to its owner only, for any umask', async () => {
  const reporter = new Reporter(place.directory, 100);
  server = await ServerProcess.ready(place, { umask: '022' });
  expect(await reporter.send(await server.url(), 'first')).toMatchObject({ status: 200 });
  expect((await reporter.stored(await server.url())).get('first')).toBe(100);
  expect(names()).toEqual(
    expect.arrayContaining(['server.lock', 'server.pid', 'operator.sock', 'telemetry/spill']),
  );
  expect(names().filter((name) => name.endsWith('.duckdb.wal'))).toHaveLength(1);
  expect(accessible()).toEqual([]);
  const archive = await requestOperator(place.directory, '/backup');
  expect((await requestOperator(place.directory, '/restore', archive.bytes)).status).toBe(200);
  expect(accessible()).toEqual([]);
  await server.kill('SIGTERM');
  expect(accessible()).toEqual([]);

  // An interrupted restore leaves this file, and a copy may leave all files with this mode.
  for (const suffix of ['', '-wal', '-shm'])
    writeFileSync(join(place.directory, `restore-scratch.db${suffix}`), '');
  for (const name of names()) {
    const path = join(place.directory, name);
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  }
  server = await ServerProcess.ready(place, { umask: '022' });
  expect(names().filter((name) => name.startsWith('restore-scratch'))).toEqual([]);
  expect(accessible()).toEqual([]);
  expect((await reporter.send(await server.url(), 'second')).status).toBe(200);
});

test('files of other programs and a shared directory keep their modes', () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  const modeOf = (name: string) => lstatSync(join(place.directory, name)).mode & 0o777;
  mkdirSync(join(place.directory, 'telemetry'));
  for (const name of ['secret.key', 'notes.txt', 'telemetry/day']) {
    writeFileSync(join(place.directory, name), '');
    chmodSync(join(place.directory, name), 0o644);
  }
  symlinkSync(join(place.directory, 'notes.txt'), join(place.directory, 'telemetry', 'link'));
  chmodSync(place.directory, 0o755);
  restrictPermissions(place.directory, log);
  expect(['secret.key', 'telemetry/day', 'notes.txt', '.'].map(modeOf)).toEqual([0o600, 0o600, 0o644, 0o755]);
  expect(lines.join()).toContain('contains their files');
});
