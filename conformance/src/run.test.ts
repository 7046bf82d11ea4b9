import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('./run.js', import.meta.url));
const run = (environment: Record<string, string>) =>
  spawnSync(process.execPath, [script], { env: environment, encoding: 'utf8' });

test('without python3 the run is skipped with one line of output, and fails only in CI', () => {
  const empty = mkdtempSync(join(tmpdir(), 'vedette-no-python-'));
  const { status, stdout, stderr } = run({ PATH: empty });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^[^\n]*skipped[^\n]*python3[^\n]*\n$/);
  const inCi = run({ PATH: empty, CI: 'true' });
  expect([inCi.status, inCi.stdout]).toEqual([1, stdout]);
  rmSync(empty, { recursive: true });
});
