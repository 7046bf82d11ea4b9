import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleProcess } from '../processes/host-process.sample.ts';
import { read } from '../reading.ts';
import type { Observed } from '../source.ts';
import { ingestedAs } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { unprivileged } from '../testing/unprivileged.ts';
import { PackagesSource } from './packages-source.ts';
import { rpmHeaderOf } from './testing/rpm-header-fixture.ts';

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
});
afterEach(() => host.remove());

async function observed(source = new PackagesSource(), from = host) {
  const { records, gaps } = await source.observe(from);
  return { records: records['Entities/Packages'] ?? [], gaps };
}

function checkWithServer(records: readonly Observed[]): void {
  const path = 'Entities/Packages';
  expect(ingestedAs(path, { records: { [path]: records }, gaps: [] })).toMatchObject(records);
}

const stanza = (name: string, version = '1.0-1', status = 'Status: install ok installed\n') =>
  `Package: ${name}\n${status}Architecture: amd64\nVersion: ${version}\n\n`;

test('packages of dpkg are reported with their distribution', async () => {
  host.write('etc/os-release', 'ID=debian\nVERSION_ID="12"\n');
  host.write(
    'var/lib/dpkg/status',
    stanza('curl', '1:7-1') + stanza('old', '1', 'Status: deinstall ok config-files\n'),
  );
  expect(await observed()).toEqual({
    records: [
      {
        ...{ packageName: 'curl', version: '1:7-1', arch: 'amd64', versionFormat: 'dpkg' },
        ...{ namespace: 'debian:12', sourceFile: '/var/lib/dpkg/status' },
      },
    ],
    gaps: [],
  });
});

test('packages of images without dpkg are reported', async () => {
  host.write('var/lib/dpkg/status.d/base', stanza('base-files', '12', ''));
  host.write('var/lib/dpkg/status.d/base.md5sums', 'd41d8cd98f00b204e9800998ecf8427e  etc/passwd\n');
  host.write('var/lib/dpkg/status.d/libc6', stanza('libc6', '2.36', ''));
  const { records, gaps } = await observed();
  expect(gaps).toEqual([]);
  expect(records).toMatchObject([
    { packageName: 'base-files', sourceFile: '/var/lib/dpkg/status.d/base' },
    { packageName: 'libc6', sourceFile: '/var/lib/dpkg/status.d/libc6' },
  ]);
});

test('packages of Alpine are reported once if a link leads to their database', async () => {
  host.write('usr/lib/apk/db/installed', 'P:musl\nV:1.2.4-r2\nA:x86_64\n\n');
  const found = [{ packageName: 'musl', version: '1.2.4-r2', arch: 'x86_64', versionFormat: 'apk' }];
  expect((await observed()).records).toMatchObject(found);
  symlinkSync('usr/lib', join(host.root, 'lib'));
  expect((await observed()).records).toMatchObject(found);
});

test('a change is noticed, and a repeated identity is reported once', async () => {
  const source = new PackagesSource();
  host.write('var/lib/dpkg/status', stanza('a'));
  expect((await observed(source)).records).toHaveLength(1);
  host.write('var/lib/dpkg/status', stanza('a') + stanza('b') + stanza('a'));
  expect((await observed(source)).records).toMatchObject([{ packageName: 'a' }, { packageName: 'b' }]);
  host.write('var/lib/dpkg/status.d/c', stanza('c', '1', ''));
  expect((await observed(source)).records).toHaveLength(3);
  host.write('var/lib/dpkg/status.d/c', stanza('c', '2', ''));
  expect((await observed(source)).records.at(-1)).toMatchObject({ packageName: 'c', version: '2' });
});

test('packages of all formats are accepted by the server; only those of the distribution have its name', async () => {
  host.write('etc/os-release', 'ID=alpine\nVERSION_ID=3.20.1\n');
  host.write('var/lib/dpkg/status', stanza('a'));
  host.write('lib/apk/db/installed', 'P:b\nV:1\n\n');
  host.write('srv/node_modules/d/package.json', '{"name":"d","version":"1"}');
  mkdirSync(join(host.root, 'var/lib/rpm'));
  const database = new DatabaseSync(join(host.root, 'var/lib/rpm/rpmdb.sqlite'));
  database.exec('CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL)');
  const header = rpmHeaderOf({ name: 'c', version: '1', release: '1', epoch: 2 });
  database.prepare('INSERT INTO Packages (blob) VALUES (?)').run(header);
  database.close();
  const process = sampleProcess({
    program: read('/usr/bin/node'),
    parameters: read(['node', '/srv/main.js']),
    directory: read('/'),
  });
  const { records, gaps } = await observed(new PackagesSource(async () => read([process])));
  expect(gaps).toEqual([]);
  expect(records.map(({ versionFormat, namespace }) => [versionFormat, namespace])).toEqual([
    ['dpkg', 'alpine:3.20'],
    ['rpm', 'alpine:3.20'],
    ['apk', 'alpine:3.20'],
    ['npm', undefined],
  ]);
  checkWithServer(records);
});

test.each([
  ['var/lib/dpkg/status', ''],
  ['var/lib/dpkg/status', stanza('old', '1', 'Status: deinstall ok config-files\n')],
  ['var/lib/dpkg/status', '\0'.repeat(100)],
  ['lib/apk/db/installed', ''],
])('a database without packages is a gap, not an empty host: %s %j', async (path, content) => {
  host.write(path, content);
  const { records, gaps } = await observed();
  expect(records).toEqual([]);
  expect(gaps).toEqual([
    { what: expect.stringMatching(/^packages of/), reason: expect.stringContaining(`/${path}`) },
  ]);
});

test('damaged entries are a gap, and the others are reported', async () => {
  host.write(
    'var/lib/dpkg/status',
    `${stanza('a')}Package: b\nStatus: install ok installed\n\n${stanza('c')}`,
  );
  const { records, gaps } = await observed();
  expect(records).toHaveLength(2);
  expect(gaps).toMatchObject([{ reason: expect.stringContaining('1 left out') }]);
});

test('many damaged files are a few gaps', async () => {
  for (let at = 0; at < 20; at++) host.write(`var/lib/dpkg/status.d/p${at}`, 'Package: x\n');
  host.write('var/lib/dpkg/status.d/ok', stanza('a', '1', ''));
  const { records, gaps } = await observed();
  expect(records).toHaveLength(1);
  expect(gaps).toHaveLength(6);
  expect(gaps.at(-1)?.reason).toContain('15 more files');
});

test('a directory in the place of a database is a gap', async () => {
  mkdirSync(join(host.root, 'var/lib/dpkg/status'), { recursive: true });
  expect((await observed()).gaps).toHaveLength(1);
});

test('a database that may not be read is a gap', async () => {
  host.write('var/lib/dpkg/status', stanza('a'));
  chmodSync(join(host.root, 'var/lib/dpkg/status'), 0);
  chmodSync(host.root, 0o755);
  const { gaps } = await unprivileged(() => observed());
  expect(gaps).toMatchObject([{ reason: expect.stringContaining('owner or root') }]);
});

test('a host without a package database gets a hint', async () => {
  expect(await observed()).toEqual({
    records: [],
    gaps: [{ what: 'packages', reason: expect.stringContaining('mount') }],
  });
});

/** Not registered on hosts of other distributions. */
const testOnDebian = existsSync('/var/lib/dpkg/status') ? test : () => {};
testOnDebian('the packages of this host are those of dpkg-query', async () => {
  const { records, gaps } = await observed(new PackagesSource(), new TestHost('/'));
  const fields = ['db:Status-Status', 'Package', 'Version', 'Architecture'];
  const format = `${fields.map((field) => `\${${field}}`).join(' ')}\n`;
  const lines = execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' }).split('\n');
  const expected = lines.filter((line) => line.startsWith('installed ')).map((line) => line.slice(10));
  const found = records.filter(({ versionFormat }) => versionFormat === 'dpkg');
  expect(found.map((one) => `${one.packageName} ${one.version} ${one.arch}`).sort()).toEqual(expected.sort());
  expect(gaps).toEqual([]);
  checkWithServer(records);
});
