import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from '../../host/host-files.ts';
import type { HostProcess } from '../../processes/host-process.ts';
import { absent, read, unreadable } from '../../reading.ts';
import { LanguagePackages } from './language-packages.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vedette-language-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const manifest = (name: string, version = '1.0.0') => JSON.stringify({ name, version });
const metadata = (name: string, version = '1.0') =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\n`;

function running(
  program: string,
  parameters: readonly string[],
  more: Partial<HostProcess> = {},
): HostProcess {
  return {
    ...{ pid: 7, ppid: 1, pgid: 7, sid: 7, startTicks: 1n, startedAt: 0, uid: 0, effectiveUid: 0, name: 'x' },
    ...{ program: read(program), parameters: read(parameters), directory: read('/srv/app'), root: read('/') },
    ...{ network: absent, key: 1, ...more },
  };
}

const found = async (packages: LanguagePackages) => {
  const inventory = await packages.inventory({ files: new HostFiles(root) });
  return { names: inventory.packages.map(({ name, version }) => `${name} ${version}`), gaps: inventory.gaps };
};
const of = (...processes: HostProcess[]) => new LanguagePackages(async () => read(processes));

test('packages beside a running script are found', async () => {
  write('srv/app/node_modules/express/package.json', manifest('express', '4.18.2'));
  write('srv/app/node_modules/@types/node/package.json', manifest('@types/node'));
  write('srv/app/node_modules/.bin/x/package.json', manifest('hidden'));
  write('srv/app/node_modules/development/package.json', '{"private":true}');
  write('srv/other/node_modules/unused/package.json', manifest('unused'));
  const inventory = await of(running('/usr/bin/node', ['node', 'main.js'])).inventory({
    files: new HostFiles(root),
  });
  const [path, common] = ['/srv/app/node_modules', { arch: 'noarch', format: 'npm' }];
  expect(inventory).toEqual({
    packages: [
      { ...common, name: '@types/node', version: '1.0.0', sourceFile: `${path}/@types/node/package.json` },
      { ...common, name: 'express', version: '4.18.2', sourceFile: `${path}/express/package.json` },
    ],
    gaps: [],
  });
});

test('the link of a program leads to its packages', async () => {
  write('usr/local/lib/node_modules/pm2/package.json', manifest('pm2'));
  write('usr/local/lib/node_modules/pm2/bin/pm2', '');
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  symlinkSync('../lib/node_modules/pm2/bin/pm2', join(root, 'usr/local/bin/pm2'));
  expect((await found(of(running('/usr/bin/node', ['node', '/usr/local/bin/pm2'])))).names).toEqual([
    'pm2 1.0.0',
  ]);
});

test('packages of the virtual environment of a running interpreter are found', async () => {
  write('opt/venv/pyvenv.cfg', '');
  write('opt/venv/lib/python3.11/site-packages/flask-3.0.dist-info/METADATA', metadata('Flask', '3.0'));
  write('opt/venv/lib/python3.10/site-packages/old-1.dist-info/METADATA', metadata('old'));
  write('usr/local/lib/python3.11/dist-packages/requests-2.dist-info/METADATA', metadata('requests'));
  write('usr/lib/python3.11/site-packages/apt-2.dist-info/METADATA', metadata('apt'));
  const program = '/usr/bin/python3.11';
  expect((await found(of(running(program, ['/opt/venv/bin/python', 'x.py'])))).names).toEqual(['Flask 3.0']);
  expect((await found(of(running(program, ['python3', 'x.py'])))).names).toEqual(['requests 1.0']);
});

test('packages of other programs, and in containers, are not looked for', async () => {
  write('srv/app/node_modules/a/package.json', manifest('a'));
  const processes = [
    running('/usr/bin/bash', ['node', 'main.js']),
    running('/usr/bin/node', ['node', 'main.js'], { containerId: 'a'.repeat(64) }),
    running('/usr/bin/node', ['node', 'main.js'], { root: read('/var/chroot') }),
    running('/usr/bin/node', ['node', 'main.js'], { parameters: absent }),
  ];
  expect(await found(of(...processes))).toEqual({ names: [], gaps: [] });
});

test('a package that is installed later is found', async () => {
  const packages = of(running('/usr/bin/node', ['node', 'main.js']));
  expect((await found(packages)).names).toEqual([]);
  write('srv/app/node_modules/a/package.json', manifest('a'));
  expect((await found(packages)).names).toEqual(['a 1.0.0']);
  write('srv/app/node_modules/b/package.json', manifest('b'));
  expect((await found(packages)).names).toEqual(['a 1.0.0', 'b 1.0.0']);
  write('srv/app/node_modules/@x/c/package.json', manifest('@x/c'));
  write('srv/app/node_modules/.package-lock.json', '{}');
  expect((await found(packages)).names).toEqual(['@x/c 1.0.0', 'a 1.0.0', 'b 1.0.0']);
  write('srv/app/node_modules/@x/d/package.json', manifest('@x/d'));
  write('srv/app/node_modules/.package-lock.json', '{ }');
  expect((await found(packages)).names).toHaveLength(4);
});

test('what can not be read is a gap', async () => {
  write('srv/app/node_modules/a/package.json', '{');
  const node = running('/usr/bin/node', ['node', 'main.js']);
  expect((await found(of(node))).gaps).toMatchObject([{ reason: expect.stringContaining('1 left out') }]);
  const hidden = running('', [], { program: unreadable('No permission.') });
  expect((await found(of(hidden, hidden))).gaps).toMatchObject([
    { reason: expect.stringContaining('as root') },
  ]);
  const none = new LanguagePackages(async () => unreadable('Mount /proc.'));
  expect((await found(none)).gaps).toMatchObject([{ reason: 'Mount /proc.' }]);
});

test('the number of directories is bounded, and the rest is a gap', async () => {
  const processes = Array.from({ length: 70 }, (_, at) => {
    write(`srv/${at}/node_modules/a/package.json`, manifest('a', `${at}`));
    return running('/usr/bin/node', ['node', `/srv/${at}/main.js`]);
  });
  const { names, gaps } = await found(of(...processes));
  expect(names).toHaveLength(64);
  expect(gaps).toMatchObject([{ reason: expect.stringContaining('64') }]);
});
