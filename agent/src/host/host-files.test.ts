import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from './host-files.ts';

let root: string;
let files: HostFiles;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vedette-host-'));
  mkdirSync(join(root, 'etc/alternatives'), { recursive: true });
  mkdirSync(join(root, 'usr/lib'), { recursive: true });
  writeFileSync(join(root, 'usr/lib/os-release'), 'ID=debian\n');
  files = new HostFiles(root);
});
afterEach(() => rmSync(root, { recursive: true }));

test('absolute links lead to files of the host, not to those of the agent', async () => {
  symlinkSync('/usr/lib/os-release', join(root, 'etc/os-release'));
  symlinkSync('/usr', join(root, 'etc/alternatives/usr'));
  expect(await files.text('/etc/os-release', 100)).toEqual({ is: 'read', value: 'ID=debian\n' });
  expect(await files.text('/etc/alternatives/usr/lib/os-release', 100)).toMatchObject({ is: 'read' });
  symlinkSync('/etc/passwd', join(root, 'etc/outside'));
  expect(await files.text('/etc/outside', 1_000_000)).toEqual({ is: 'absent' });
});

test('no link leads out of the host', async () => {
  symlinkSync('../../../../../../../../../../etc/passwd', join(root, 'etc/passwd-'));
  expect(await files.text('/etc/passwd-', 1_000_000)).toEqual({ is: 'absent' });
  writeFileSync(join(root, 'etc/passwd'), 'own');
  expect(await files.text('/etc/passwd-', 1_000_000)).toEqual({ is: 'read', value: 'own' });
  expect(await files.text('/../../../../etc/passwd', 1_000_000)).toEqual({ is: 'read', value: 'own' });
});

test('links in a circle are unreadable', async () => {
  symlinkSync('b', join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  expect(await files.text('/a', 100)).toEqual({ is: 'unreadable', reason: expect.stringContaining('/a') });
});

test('a link itself has a status and a target', async () => {
  symlinkSync('/usr/lib/os-release', join(root, 'etc/os-release'));
  expect(await files.target('/etc/os-release')).toEqual({ is: 'read', value: '/usr/lib/os-release' });
  const status = await files.status('/etc/os-release');
  expect(status.is === 'read' && status.value.isSymbolicLink()).toBe(true);
  expect(await files.place('/etc/os-release')).toEqual({
    is: 'read',
    value: join(root, 'usr/lib/os-release'),
  });
});

test('a file above the limit is unreadable, one at the limit is read', async () => {
  writeFileSync(join(root, 'large'), 'x'.repeat(200_000));
  expect(await files.bytes('/large', 199_999)).toMatchObject({ is: 'unreadable' });
  const whole = await files.bytes('/large', 200_000);
  expect(whole.is === 'read' && whole.value.length).toBe(200_000);
});

test('pipes and directories are unreadable, without waiting for a writer', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await files.bytes('/pipe', 100)).toEqual({
    is: 'unreadable',
    reason: '/pipe is not a regular file.',
  });
  expect(await files.bytes('/etc', 100)).toMatchObject({ is: 'unreadable' });
});

test('names of a directory are bounded', async () => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, 'etc', name), '');
  expect(await files.names('/etc', 4)).toEqual({ is: 'read', value: ['a', 'alternatives', 'b', 'c'] });
  expect(await files.names('/etc', 3)).toMatchObject({ is: 'unreadable' });
  expect(await files.names('/missing', 3)).toEqual({ is: 'absent' });
});

test('files of the kernel are read although they have no size', async () => {
  const own = await new HostFiles().text('/proc/self/status', 100_000);
  expect(own.is === 'read' && own.value).toContain(`Pid:\t${process.pid}\n`);
});
