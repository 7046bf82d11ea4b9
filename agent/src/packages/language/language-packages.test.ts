import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleProcess } from '../../processes/host-process.sample.ts';
import type { HostProcess } from '../../processes/host-process.ts';
import { absent, read, unreadable } from '../../reading.ts';
import { TestHost } from '../../testing/test-host.ts';
import { LanguagePackages } from './language-packages.ts';

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
});
afterEach(() => host.remove());

const manifest = (name: string, version = '1.0.0') => JSON.stringify({ name, version });
const metadata = (name: string, version = '1.0') =>
  `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n\n`;

function running(
  program: string,
  parameters: readonly string[],
  more: Partial<HostProcess> = {},
): HostProcess {
  return sampleProcess({
    ...{ program: read(program), parameters: read(parameters), directory: read('/srv/app'), ...more },
  });
}

const found = async (packages: LanguagePackages) => {
  const inventory = await packages.inventory(host);
  return { names: inventory.packages.map(({ name, version }) => `${name} ${version}`), gaps: inventory.gaps };
};
const of = (...processes: HostProcess[]) => new LanguagePackages(async () => read(processes));

test('packages beside a running script are found', async () => {
  host.write('srv/app/node_modules/express/package.json', manifest('express', '4.18.2'));
  host.write('srv/app/node_modules/@types/node/package.json', manifest('@types/node'));
  host.write('srv/app/node_modules/.bin/x/package.json', manifest('hidden'));
  host.write('srv/app/node_modules/development/package.json', '{"private":true}');
  host.write('srv/other/node_modules/unused/package.json', manifest('unused'));
  const inventory = await of(running('/usr/bin/node', ['node', 'main.js'])).inventory(host);
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
  host.write('usr/local/lib/node_modules/pm2/package.json', manifest('pm2'));
  host.write('usr/local/lib/node_modules/pm2/bin/pm2', '');
  mkdirSync(join(host.root, 'usr/local/bin'), { recursive: true });
  symlinkSync('../lib/node_modules/pm2/bin/pm2', join(host.root, 'usr/local/bin/pm2'));
  expect((await found(of(running('/usr/bin/node', ['node', '/usr/local/bin/pm2'])))).names).toEqual([
    'pm2 1.0.0',
  ]);
});

test('packages of the virtual environment of a running interpreter are found', async () => {
  host.write('opt/venv/pyvenv.cfg', '');
  host.write('opt/venv/lib/python3.11/site-packages/flask-3.0.dist-info/METADATA', metadata('Flask', '3.0'));
  host.write('opt/venv/lib/python3.10/site-packages/old-1.dist-info/METADATA', metadata('old'));
  host.write('usr/local/lib/python3.11/dist-packages/requests-2.dist-info/METADATA', metadata('requests'));
  host.write('usr/lib/python3.11/site-packages/apt-2.dist-info/METADATA', metadata('apt'));
  const program = '/usr/bin/python3.11';
  expect((await found(of(running(program, ['/opt/venv/bin/python', 'x.py'])))).names).toEqual(['Flask 3.0']);
  expect((await found(of(running(program, ['python3', 'x.py'])))).names).toEqual(['requests 1.0']);
});

test('packages of other programs, and in containers, are not looked for', async () => {
  host.write('srv/app/node_modules/a/package.json', manifest('a'));
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
  host.write('srv/app/node_modules/a/package.json', manifest('a'));
  expect((await found(packages)).names).toEqual(['a 1.0.0']);
  host.write('srv/app/node_modules/b/package.json', manifest('b'));
  expect((await found(packages)).names).toEqual(['a 1.0.0', 'b 1.0.0']);
  host.write('srv/app/node_modules/@x/c/package.json', manifest('@x/c'));
  host.write('srv/app/node_modules/.package-lock.json', '{}');
  expect((await found(packages)).names).toEqual(['@x/c 1.0.0', 'a 1.0.0', 'b 1.0.0']);
  host.write('srv/app/node_modules/@x/d/package.json', manifest('@x/d'));
  host.write('srv/app/node_modules/.package-lock.json', '{ }');
  expect((await found(packages)).names).toHaveLength(4);
});

test('what can not be read is a gap', async () => {
  host.write('srv/app/node_modules/a/package.json', '{');
  const node = running('/usr/bin/node', ['node', 'main.js']);
  expect((await found(of(node))).gaps).toMatchObject([{ reason: expect.stringContaining('1 left out') }]);
  const hidden = running('', [], { program: unreadable('No permission.') });
  host.isRoot = false;
  expect((await found(of(hidden, hidden))).gaps).toMatchObject([
    { reason: expect.stringContaining('as root') },
  ]);
  host.isRoot = true;
  expect((await found(of(hidden, hidden))).gaps).toMatchObject([
    { reason: expect.stringContaining('CAP_SYS_PTRACE') },
  ]);
  const none = new LanguagePackages(async () => unreadable('Mount /proc.'));
  expect((await found(none)).gaps).toMatchObject([{ reason: 'Mount /proc.' }]);
});

test('the number of directories is bounded, and the rest is a gap', async () => {
  const processes = Array.from({ length: 70 }, (_, at) => {
    host.write(`srv/${at}/node_modules/a/package.json`, manifest('a', `${at}`));
    return running('/usr/bin/node', ['node', `/srv/${at}/main.js`]);
  });
  const { names, gaps } = await found(of(...processes));
  expect(names).toHaveLength(64);
  expect(gaps).toMatchObject([{ reason: expect.stringContaining('64') }]);
});
