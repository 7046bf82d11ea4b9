import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostFiles } from '../host/host-files.ts';
import type { Observation } from '../source.ts';
import { ingested } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { FilesSource } from './files-source.ts';
import { sweep } from './sweep.ts';

let host: TestHost;
let source: FilesSource;
let cursor: unknown;
beforeEach(() => {
  [host, source, cursor] = [new TestHost(), new FilesSource(), undefined];
  host.time = Date.now();
  host.write('/etc/passwd', 'root:x:0:0:root:/var/roothome:/bin/sh\n');
  host.write('/etc/sudoers.d/ops', 'ops ALL=(ALL) ALL\n');
  host.write('/etc/unwatched', '');
});
afterEach(() => host.remove());

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

/** As after a minute. */
async function observe(from = source): Promise<Observation> {
  host.time += 60_000;
  const observation = await from.observe(host, cursor);
  if (observation.cursor !== undefined) cursor = JSON.parse(JSON.stringify(observation.cursor));
  return observation;
}

async function changes(from = source) {
  const observation = await observe(from);
  return (ingested(observation, host.now())['Activities/ChangedFiles'] ?? []).map(
    ({ activity, filePath, filedataHash }) => [activity, filePath, filedataHash],
  );
}

test('the server stores the files of the watch list, which are not new at first', async () => {
  symlinkSync('../passwd', host.place('/etc/systemd/system/x.service'));
  const observation = await observe();
  const stored = ingested(observation, host.now());
  expect(stored['Activities/ChangedFiles']).toBeUndefined();
  expect(observation.gaps).toEqual([]);
  expect(stored['Entities/Files']).toMatchObject([
    {
      ...{
        filePath: '/etc/passwd',
        filedataHash: sha256('root:x:0:0:root:/var/roothome:/bin/sh\n'),
        size: 38,
      },
      ...{ fileName: 'passwd', fileType: 'file', isLink: 0, ownerUid: process.getuid?.(), hardLinkCount: 1 },
    },
    { filePath: '/etc/sudoers.d/ops' },
    {
      ...{ filePath: '/etc/systemd/system/x.service', isLink: 1, filedataHash: sha256('../passwd') },
      ...{ linkDestPath: '../passwd', linkAbsDestPath: '/etc/systemd/passwd' },
    },
  ]);
});

test('created, modified and deleted files are reported once', async () => {
  await observe();
  host.write('/etc/sudoers.d/new', 'x');
  host.write('/etc/passwd', 'changed');
  rmSync(join(host.root, 'etc/sudoers.d/ops'));
  expect(await changes()).toEqual([
    ['modify', '/etc/passwd', sha256('changed')],
    ['create', '/etc/sudoers.d/new', sha256('x')],
    ['delete', '/etc/sudoers.d/ops', ''],
  ]);
  expect(await changes()).toEqual([]);
});

test('changes while the agent was stopped are reported when it starts', async () => {
  await observe();
  host.write('/etc/passwd', 'changed');
  rmSync(join(host.root, 'etc/sudoers.d'), { recursive: true });
  expect(await changes(new FilesSource())).toEqual([
    ['modify', '/etc/passwd', sha256('changed')],
    ['delete', '/etc/sudoers.d/ops', ''],
  ]);
});

test('a change that keeps size and modification time is found', async () => {
  const place = host.write('/etc/passwd', 'before');
  utimesSync(place, 1_000, 1_000);
  await observe();
  host.write('/etc/passwd', 'after!');
  utimesSync(place, 1_000, 1_000);
  expect(await changes()).toEqual([['modify', '/etc/passwd', sha256('after!')]]);
});

test('the same content in a new file is no change, other rights are', async () => {
  await observe();
  renameSync(host.write('/etc/tmp', 'ops ALL=(ALL) ALL\n'), join(host.root, 'etc/sudoers.d/ops'));
  expect(await changes()).toEqual([]);
  chmodSync(join(host.root, 'etc/sudoers.d/ops'), 0o666);
  expect(await changes()).toEqual([['modify', '/etc/sudoers.d/ops', sha256('ops ALL=(ALL) ALL\n')]]);
});

test('keys of users, cron tables and init scripts are watched without a configuration', async () => {
  mkdirSync(join(host.root, 'home/ann'), { recursive: true });
  await observe();
  host.write('/home/ann/.ssh/authorized_keys', 'key');
  host.write('/home/ben/.ssh/authorized_keys2', 'key');
  host.write('/home/ben/.ssh/known_hosts', 'x');
  for (const path of ['/var/spool/cron/crontabs/ann', '/etc/init.d/x', '/etc/rc.local'])
    host.write(path, 'x');
  const created = (path: string, content: string) => ['create', path, sha256(content)];
  expect(await changes()).toEqual([
    ...['/var/spool/cron/crontabs/ann', '/etc/init.d/x', '/etc/rc.local'].map((path) => created(path, 'x')),
    created('/home/ann/.ssh/authorized_keys', 'key'),
    created('/home/ben/.ssh/authorized_keys2', 'key'),
  ]);
  rmSync(join(host.root, 'home/ann'), { recursive: true });
  expect(await changes()).toEqual([['delete', '/home/ann/.ssh/authorized_keys', '']]);
});

test('the authorized keys of root are watched in the home of root', async () => {
  const place = host.write('/var/roothome/.ssh/authorized_keys', 'one');
  await observe();
  host.write('/var/roothome/.ssh/authorized_keys', 'two');
  expect(await changes()).toEqual([['modify', '/var/roothome/.ssh/authorized_keys', sha256('two')]]);
  rmSync(place);
  expect(await changes()).toEqual([['delete', '/var/roothome/.ssh/authorized_keys', '']]);
});

test('programs are watched while they have a setuid bit', async () => {
  const place = host.write('/usr/bin/find', 'program');
  chmodSync(place, 0o755);
  await observe();
  chmodSync(place, 0o4755);
  expect(await changes()).toEqual([['modify', '/usr/bin/find', sha256('program')]]);
  chmodSync(place, 0o755);
  expect(await changes()).toEqual([['modify', '/usr/bin/find', sha256('program')]]);
  host.write('/usr/bin/find', 'other');
  expect(await changes()).toEqual([]);
});

test('files of a new entry of the list are not new files', async () => {
  await observe(new FilesSource({ watched: ['/etc/passwd'] }));
  expect(await changes(new FilesSource({ watched: ['/etc/passwd', '/etc/sudoers.d'] }))).toEqual([]);
  expect(await changes(new FilesSource({ watched: ['/etc/passwd'] }))).toEqual([]);
});

test('a damaged cursor is like none', async () => {
  cursor = { files: 'x' };
  expect(await changes()).toEqual([]);
});

test('between the sweeps, an event is followed by another one', async () => {
  host.time += 60_000;
  const first = await source.observe(host, undefined);
  host.time += 10_000;
  expect(await source.observe(host, first.cursor)).toEqual({ records: {}, gaps: [] });
  host.write('/etc/passwd', 'changed');
  const changedAt = host.time;
  await expect
    .poll(
      async () => {
        host.time += 50;
        const { records } = await source.observe(host, first.cursor);
        return records['Activities/ChangedFiles']?.length;
      },
      { interval: 20 },
    )
    .toBe(1);
  expect(host.time - changedAt).toBeLessThan(50_000);
});

test('a directory in the place of a file is a deletion', async () => {
  await observe();
  rmSync(join(host.root, 'etc/sudoers.d/ops'));
  mkdirSync(join(host.root, 'etc/sudoers.d/ops'));
  expect(await changes()).toEqual([['delete', '/etc/sudoers.d/ops', '']]);
});

test('a file that is too large is a gap, and its changes are reported without a hash', async () => {
  const limited = new FilesSource({ watched: ['/etc/passwd'], maxBytes: 10 });
  const { gaps, records } = await observe(limited);
  expect(records['Entities/Files']).toEqual([]);
  expect(gaps).toEqual([{ what: 'content of /etc/passwd', reason: '/etc/passwd has more than 10 bytes.' }]);
  truncateSync(join(host.root, 'etc/passwd'), 20);
  expect(await changes(limited)).toEqual([['modify', '/etc/passwd', '']]);
});

test('times that no date can express are left out', async () => {
  utimesSync(join(host.root, 'etc/passwd'), 1, new Date(-1_000_000));
  const stored = ingested(await observe(), host.now());
  expect(stored['Entities/Files']?.[0]).not.toHaveProperty('fileModifiedTime');
});

test('file systems of the network and the kernel are not swept', async () => {
  host.write('/proc/1/mountinfo', '1 1 8:1 / / rw - ext4 x rw\n2 1 0:3 / /etc/sudoers.d rw - nfs4 x rw\n');
  const { files, gaps } = await sweep(host, [{ path: '/etc/passwd' }, { path: '/etc/sudoers.d' }]);
  expect([...files.keys()]).toEqual(['/etc/passwd']);
  expect(gaps).toEqual([{ what: '/etc/sudoers.d', reason: expect.stringContaining('nfs4') }]);
});

test('sweeps are bounded in files and depth', async () => {
  host.write('/deep/1/2/3/4/file', '');
  for (let index = 0; index < 5; index++) host.write(`/many/${index}`, '');
  const limits = { files: 3, depth: 2, names: 100, directories: 10 };
  const { files, gaps } = await sweep(host, [{ path: '/deep' }, { path: '/many' }], limits);
  expect([...files.keys()]).toEqual(['/many/0', '/many/1', '/many/2']);
  expect(gaps.map(({ what }) => what)).toEqual(['/deep/1/2/3', 'files from /many/3 on']);
});

test('a name that is not UTF-8 is a gap', async () => {
  mkdirSync(join(host.root, 'etc/cron.d'));
  writeFileSync(Buffer.concat([Buffer.from(join(host.root, 'etc/cron.d/')), Buffer.from([0xff])]), '');
  expect((await observe()).gaps).toMatchObject([{ reason: expect.stringContaining('UTF-8') }]);
});

test('links to directories are followed for entries of the list only', async () => {
  symlinkSync('sudoers.d', join(host.root, 'etc/linked'));
  symlinkSync('..', join(host.root, 'etc/sudoers.d/up'));
  const { files } = await sweep(host, [{ path: '/etc/linked' }]);
  expect([...files.keys()]).toEqual(['/etc/linked', '/etc/linked/ops', '/etc/linked/up']);
});

test('the files of this host have the hash that sha256 gives', async () => {
  const real = Object.assign(new TestHost(), { files: new HostFiles(), time: Date.now() });
  const observation = await new FilesSource().observe(real, undefined);
  real.remove();
  const passwd = ingested(observation, real.now())['Entities/Files']?.find(
    ({ filePath }) => filePath === '/etc/passwd',
  );
  expect(existsSync('/etc/passwd')).toBe(true);
  expect(passwd).toMatchObject({ filedataHash: sha256(readFileSync('/etc/passwd')), ownerUsername: 'root' });
});
