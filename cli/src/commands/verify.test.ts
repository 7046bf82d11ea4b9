import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { damageDay } from '@vedette/server/testing/damage';
import { createTestPlace, type TestPlace, testDialect } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { Reporter } from '@vedette/server/testing/reporter';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const earlier = '2026-01-31';
let installation: TestPlace;
let server: ServerProcess;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = await ServerProcess.ready(installation);
  const reporter = new Reporter(installation.directory, 20_000);
  await reporter.send(await server.url(), 'first');
  await server.kill('SIGTERM');
  const days = join(installation.directory, 'telemetry', 'days');
  const [name] = readdirSync(days).filter((each) => each.endsWith('.duckdb'));
  renameSync(join(days, String(name)), join(days, `${earlier}.duckdb`));
  server = await ServerProcess.ready(installation);
  await reporter.send(await server.url(), 'second');
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

test('verify reads every file while the server runs and lists damaged files with day and accounts', async () => {
  const control = testDialect === 'sqlite' ? 1 : 0;
  expect(await program.output('verify')).toBe(`Files read: ${control + 2}, damaged: 0.\n`);
  damageDay(installation.directory, earlier);
  // Restarted, because pages that were read are cached in memory.
  await server.kill();
  server = await ServerProcess.ready(installation);
  const { code, stdout } = await program.run('verify');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FILE +DAY +ACCOUNTS +DATASETS +PROBLEM\n/);
  expect(stdout).toContain(`telemetry/days/${earlier}.duckdb  ${earlier}  local     Activities/DNSs`);
  expect(stdout).toContain(`Files read: ${control + 2}, damaged: 1.`);
  const { damaged, files } = JSON.parse((await program.run('verify --json')).stdout);
  expect(damaged).toBe(1);
  expect(files.filter(({ problems }: { problems: object[] }) => problems.length === 0)).toHaveLength(
    control + 1,
  );
  expect((await program.run('verify', { VEDETTE_DATA_DIR: '/nowhere' })).stderr).toContain(
    'No server is running',
  );
});
