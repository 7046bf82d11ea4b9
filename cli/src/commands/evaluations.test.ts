import { createTestPlace, type TestPlace } from '@vedette/server/testing/database';
import { ServerProcess } from '@vedette/server/testing/process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Program } from '../program.sample.ts';

vi.setConfig({ testTimeout: 300_000 });

let installation: TestPlace;
let server: ServerProcess;
let program: Program;
beforeAll(async () => {
  installation = await createTestPlace();
  program = new Program(installation);
  server = new ServerProcess(installation);
  await server.url();
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await installation.remove();
});

test('evaluations lists evaluated policies, by account and by problem', async () => {
  await expect
    .poll(async () => (await program.output('evaluations')).split('\n').length, { timeout: 60_000 })
    .toBeGreaterThan(5);
  expect(await program.output('evaluations --account local')).toMatch(
    /^ACCOUNT +POLICY +TITLE +STATE +LAST EVALUATED +VIOLATIONS +PROBLEM\nlocal +lacework-global-\d+ +[A-Z]\S+ .* waiting +never/,
  );
  expect(await program.output('evaluations --account nowhere')).toBe('No policies are evaluated.\n');
  expect(await program.output('evaluations --problems')).toBe('No policies have problems.\n');
});
