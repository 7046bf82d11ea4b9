import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observe } from '../testing/ingest.ts';
import { TestHost } from '../testing/test-host.ts';
import { directoriesOf } from './nsswitch.ts';
import { UserNames } from './user-names.ts';
import { UsersSource } from './users-source.ts';

let host: TestHost;
beforeEach(() => {
  host = new TestHost();
});
afterEach(() => host.remove());

test('the users of this host are those that getent lists', async () => {
  let listed: string;
  try {
    listed = execFileSync('getent', ['-s', 'files', 'passwd'], { encoding: 'utf8' });
  } catch {
    return;
  }
  const { records } = await observe(new TestHost('/'), new UsersSource());
  const users = records['Entities/Users'] ?? [];
  const names = users.flatMap(({ username, otherUsernames = [] }) => [
    username,
    ...(otherUsernames as string[]),
  ]);
  const lines = listed.trim().split('\n');
  expect(names.sort()).toEqual([...new Set(lines.map((line) => line.split(':')[0]))].sort());
  for (const { username, uid, homeDir, primaryGroupName, otherGroupNames } of users) {
    const line = lines.find((one) => one.startsWith(`${username}:`))?.split(':');
    expect([line?.[2], line?.[5] || undefined]).toEqual([String(uid), homeDir]);
    const groups = execFileSync('id', ['-nG', String(username)], { encoding: 'utf8' })
      .trim()
      .split(' ');
    expect([primaryGroupName, ...(otherGroupNames as string[])].sort()).toEqual(groups.sort());
  }
});

test('groups of a user are named, and unknown ones have their number', async () => {
  host.write('etc/passwd', 'ann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:77:::\n');
  host.write('etc/group', 'ann:x:1000:ann\nsudo:x:27:bob,ann\nadm:x:4:ann\n');
  expect(await observe(host, new UsersSource())).toEqual({
    records: {
      'Entities/Users': [
        {
          ...{ username: 'ann', uid: 1000, primaryGroupName: 'ann', homeDir: '/home/ann' },
          otherGroupNames: ['adm', 'sudo'],
        },
        { username: 'bob', uid: 1001, primaryGroupName: '77', otherGroupNames: ['sudo'] },
      ],
    },
    gaps: [],
  });
});

test('a second name of root is reported with root', async () => {
  host.write('etc/passwd', 'root:x:0:0::/var/roothome:\ntoor:x:0:0::/tmp:\n');
  host.write('etc/group', 'root:x:0:\n');
  const { records } = await observe(host, new UsersSource());
  expect(records['Entities/Users']).toMatchObject([{ username: 'root', uid: 0, otherUsernames: ['toor'] }]);
});

test('users that can not be read are a gap, not none', async () => {
  expect(await observe(host, new UsersSource())).toEqual({
    records: {},
    gaps: [{ what: 'users of the host', reason: 'The host has no /etc/passwd.' }],
  });
});

test('users of directories are a gap', async () => {
  host.write('etc/passwd', 'root:x:0:0::/var/roothome:\n');
  host.write('etc/nsswitch.conf', '# passwd: nis\npasswd: files [SUCCESS=return] sss systemd # ldap\n');
  const { gaps } = await observe(host, new UsersSource());
  expect(gaps).toEqual([{ what: 'users of directories', reason: expect.stringContaining('from sss;') }]);
});

test('names follow the file when it changes', async () => {
  const names = () => UserNames.read(host.files);
  expect((await names()).nameOf(0)).toBeUndefined();
  host.write('etc/passwd', 'root:x:0:0::/var/roothome:\ntoor:x:0:0::/var/roothome:\n');
  const first = await names();
  expect([first.nameOf(0), first.nameOf(1), first.user('toor')?.uid]).toEqual(['root', undefined, 0]);
  expect(await names()).toBe(first);
  host.write('etc/passwd', 'root:x:0:0::/var/roothome:\nann:x:1:1::/:\n');
  expect((await names()).nameOf(1)).toBe('ann');
});

test('any text names services of letters only', () => {
  const unit = fc.constantFrom(...'passwd: []=#\nsx\0');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      for (const name of directoriesOf(text)) expect(name).toMatch(/^[\w-]+$/);
    }),
  );
});
