import { readdirSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlace, type TestPlace } from '../testing/database.ts';
import { ServerProcess } from '../testing/process.ts';
import { Reporter } from '../testing/reporter.ts';

let installation: TestPlace;
let server: ServerProcess;
beforeAll(async () => {
  installation = await createTestPlace();
});
afterAll(async () => {
  await server.kill();
  await installation.remove();
});

test('a server with a damaged day reports the file and a remedy, and starts once it is moved away', async () => {
  const reporter = new Reporter(installation.directory, 10);
  server = await ServerProcess.ready(installation);
  await reporter.send(await server.url(), 'batch');
  await server.kill('SIGTERM');
  const days = join(installation.directory, 'telemetry', 'days');
  const [name] = readdirSync(days);
  const file = join(days, String(name));
  truncateSync(file, 50_000);

  server = new ServerProcess(installation);
  expect(await server.ended).toBe(1);
  expect(server.stderr).toContain(`  - ${file}: IO Error`);
  expect(server.stderr).toContain('move it and the file of the same name with .wal');
  expect(server.stderr).not.toContain('    at ');

  renameSync(file, join(installation.directory, 'damaged'));
  server = await ServerProcess.ready(installation);
  expect(await reporter.send(await server.url(), 'batch')).toMatchObject({ status: 200 });
  expect(await reporter.stored(await server.url())).toEqual(new Map([['batch', 10]]));
});
