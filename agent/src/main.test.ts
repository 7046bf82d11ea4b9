import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Journal } from './journal/journal.ts';

const built = fileURLToPath(new URL('main.js', import.meta.url));
let directory: string;
let bundle: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-bundle-'));
  bundle = join(directory, 'vedette-agent.mjs');
  const bundled = await rolldown({ input: built, platform: 'node' });
  await bundled.write({ file: bundle, format: 'esm' });
  await bundled.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, ...words: string[]): Promise<Outcome> {
  const options = { cwd: directory, env: { PATH: process.env.PATH }, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test('the bundled agent is one file of less than 5 MB, which needs nothing else', async () => {
  expect(statSync(bundle).size).toBeLessThan(5_000_000);
  expect(await run(bundle, '--version')).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  expect((await run(bundle, '--help')).stdout).toContain('VEDETTE_AGENT_SERVER');
});

test('a dry run prints what would be sent, and what is missing', async () => {
  const { code, stdout, stderr } = await run(
    bundle,
    '--dry-run',
    '--tags',
    'Env=test',
    '--without',
    'packages',
  );
  expect(code).toBe(0);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const machine = records.find(({ dataset }) => dataset === 'Entities/Machines');
  expect(machine?.record.machineTags).toMatchObject({ Env: 'test' });
  expect(records.some(({ dataset }) => dataset === 'Entities/Processes')).toBe(true);
  expect(records.some(({ dataset }) => dataset === 'Entities/Packages')).toBe(false);
  expect(stderr).toContain('Missing: DNS queries. ');
});

test('the agent ends soon while files are being hashed, and keeps what was journalled', async () => {
  const watched = join(directory, 'watched');
  mkdirSync(watched);
  // Sparse: all of them take far longer to hash than the agent may take to end.
  for (let index = 0; index < 200; index++) {
    writeFileSync(join(watched, `${index}`), '');
    truncateSync(join(watched, `${index}`), 90_000_000);
  }
  const stateDirectory = join(directory, 'state');
  const without = 'processes,interfaces,packages,connections,containers,applications,logins';
  const agent = spawn(process.execPath, [
    ...[built, '--server', 'http://127.0.0.1:9', '--token', 'x'.repeat(20), '--watched', watched],
    ...['--state-directory', stateDirectory, '--without', without],
  ]);
  try {
    const stored = () => Journal.open({ directory: join(stateDirectory, 'journal'), maxBytes: 1_000_000 });
    const isOpen = () => existsSync(join(stateDirectory, 'journal', 'state.json'));
    // Of the machine, its details and the users; the files follow.
    const waiting = async () => (isOpen() ? (await stored()).waiting : 0);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(3);
    await setTimeout(200);
    const stoppedAt = performance.now();
    agent.kill('SIGTERM');
    expect(await once(agent, 'exit')).toEqual([0, null]);
    expect(performance.now() - stoppedAt).toBeLessThan(1_500);
    const journal = await stored();
    expect([journal.waiting, journal.damagedBytes]).toEqual([3, 0]);
  } finally {
    agent.kill('SIGKILL');
  }
});

test('what is wrong in the command is said, with an exit status', async () => {
  expect(await run(built)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringContaining('The URL of the Vedette server is missing: pass --server'),
  });
  expect((await run(built, '--tokn', 'x')).stderr).toBe(
    "Unknown option '--tokn'. The options are printed by --help.\n",
  );
});
