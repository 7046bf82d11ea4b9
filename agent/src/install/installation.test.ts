import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeOptions as serverOptions } from '@vedette/server/local-agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { version } from '../version.ts';
import { install, uninstall } from './installation.ts';
import { nodeOptions } from './node-options.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vedette-install-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const configuration = () => JSON.parse(readFileSync(join(root, 'etc/vedette/agent.json'), 'utf8'));
const unit = () => readFileSync(join(root, 'etc/systemd/system/vedette-agent.service'), 'utf8');
const settings = { server: 'https://vedette.example.com', token: 'a1' };

test('writes the configuration for root only, a unit, and a program that runs by itself', async () => {
  expect(await install({ settings: { ...settings, tags: 'Env=test' }, root })).toContain(
    `systemctl --root ${root} enable vedette-agent.service`,
  );
  expect(configuration()).toEqual({ ...settings, tags: 'Env=test' });
  expect(statSync(join(root, 'etc/vedette/agent.json')).mode & 0o777).toBe(0o600);
  expect(unit()).not.toContain('a1');
  const [, node = '', ...words] = /^ExecStart=(.*)$/m.exec(unit())?.[1]?.split(/" ?"?/) ?? [];
  const program = words.filter(Boolean).at(-1) ?? '';
  const options = { encoding: 'utf8', cwd: root, env: {} } as const;
  expect(execFileSync(node, [...nodeOptions, join(root, program), '--version'], options)).toBe(
    `${version}\n`,
  );
});

test('keeps the other settings of an earlier installation', async () => {
  await install({ settings: { ...settings, tags: 'Env=test' }, root });
  await install({ settings: { token: 'a2' }, root });
  expect(configuration()).toEqual({ ...settings, tags: 'Env=test', token: 'a2' });
});

test('writes nothing if a setting is missing or wrong', async () => {
  await expect(install({ settings: { server: 'example', token: 'a1' }, root })).rejects.toThrow(
    "The server 'example' is not a URL",
  );
  expect(existsSync(join(root, 'etc'))).toBe(false);
});

test('is removed without a trace but its journal', async () => {
  expect(await uninstall(root)).toBe('No agent was installed here.');
  await install({ settings, root });
  expect(await uninstall(root)).toContain('its journal is still in');
  for (const path of [
    'etc/vedette/agent.json',
    'etc/systemd/system/vedette-agent.service',
    'usr/local/lib/vedette-agent',
  ])
    expect(existsSync(join(root, path)), path).toBe(false);
});

test('runs with the options that a server gives to its own agent', () => {
  expect(nodeOptions).toEqual(serverOptions);
});
