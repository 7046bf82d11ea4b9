import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { askOperator } from '../testing/operator.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';
import { closeToOthers } from './file-modes.ts';
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

/** Everything below the data directory that others may do anything with. */
const open = () =>
  readdirSync(place.directory, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, lstatSync(join(place.directory, name), { throwIfNoEntry: false })] as const)
    .filter(([, entry]) => entry && (entry.mode & 0o077) !== 0)
    .map(([name]) => name);
const names = () => readdirSync(place.directory, { recursive: true, encoding: 'utf8' });

test('every file of a used server is for its owner only, whatever the umask it was started with', async () => {
  const reporter = new Reporter(place.directory, 100);
  server = await ServerProcess.ready(place, { umask: '022' });
  expect(await reporter.send(await server.url(), 'first')).toMatchObject({ status: 200 });
  expect((await reporter.stored(await server.url())).get('first')).toBe(100);
  expect(names()).toEqual(
    expect.arrayContaining(['server.lock', 'server.pid', 'operator.sock', 'telemetry/spill']),
  );
  expect(names().filter((name) => name.endsWith('.duckdb.wal'))).toHaveLength(1);
  expect(open()).toEqual([]);
  const archive = await askOperator(place.directory, '/backup');
  expect((await askOperator(place.directory, '/restore', archive.bytes)).status).toBe(200);
  expect(open()).toEqual([]);
  await server.kill('SIGTERM');
  expect(open()).toEqual([]);

  // As a restore that was killed leaves it, and as a copy leaves all of them.
  for (const suffix of ['', '-wal', '-shm'])
    writeFileSync(join(place.directory, `restore-scratch.db${suffix}`), '');
  for (const name of names()) {
    const path = join(place.directory, name);
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  }
  server = await ServerProcess.ready(place, { umask: '022' });
  expect(names().filter((name) => name.startsWith('restore-scratch'))).toEqual([]);
  expect(open()).toEqual([]);
  expect((await reporter.send(await server.url(), 'second')).status).toBe(200);
});

test('what the service did not make stays as it is, and so does a directory that is shared', () => {
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
  closeToOthers(place.directory, log);
  expect(['secret.key', 'telemetry/day', 'notes.txt', '.'].map(modeOf)).toEqual([0o600, 0o600, 0o644, 0o755]);
  expect(lines.join()).toContain('contains their files');
});
