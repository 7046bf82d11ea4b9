import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLocal, Mounts, parseMountinfo } from './mountinfo.ts';

const example = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
36 27 0:33 /x /mnt/with\\040space\\134 rw,noatime master:1 propagate_from:2 - nfs4 server:/x rw
37 27 0:34 / /srv rw shared:3 master:1 - ext4 /dev/sdb rw
38 37 0:35 / /srv rw - fuse.sshfs me@host: rw
`;

test('mounts have a point and a type', () => {
  expect(parseMountinfo(example)).toEqual([
    { point: '/proc', type: 'proc' },
    { point: '/', type: 'ext4' },
    { point: '/mnt/with space\\', type: 'nfs4' },
    { point: '/srv', type: 'ext4' },
    { point: '/srv', type: 'fuse.sshfs' },
  ]);
});

test('a path is on the nearest mount, and of those at one point on the last', () => {
  const mounts = new Mounts(parseMountinfo(example));
  expect(
    ['/proc/1/stat', '/etc/passwd', '/', '/procx', '/srv/a/b'].map((path) => mounts.typeOf(path)),
  ).toEqual(['proc', 'ext4', 'ext4', 'ext4', 'fuse.sshfs']);
  const point = '/mnt/with space\\';
  expect([point, `${point}/run`, `${point}s`].map((path) => mounts.typeOf(path))).toEqual([
    ...['nfs4', 'nfs4', 'ext4'],
  ]);
  expect(new Mounts([]).typeOf('/etc')).toBeUndefined();
});

test('only file systems on disks are local', () => {
  const types = ['ext4', 'xfs', 'btrfs', 'overlay', 'tmpfs', 'fuse.fuse-overlayfs', 'zfs'];
  expect(types.filter(isLocal)).toEqual(types);
  const others = [
    'proc',
    'nfs',
    'nfs4',
    'cifs',
    'fuse',
    'fuse.sshfs',
    'fuseblk',
    'fuseblk.x',
    'fusectl',
    'autofs',
    'ceph',
    '9p',
  ];
  expect(others.filter(isLocal)).toEqual([]);
});

test('what was written is read', () => {
  const escaped = (text: string) =>
    text.replace(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const point = fc.string({ unit: fc.constantFrom(...'ab/ \t\n\\-0') }).map((rest) => `/${rest}`);
  const mount = fc.record({ point, type: fc.stringMatching(/^[a-z][a-z0-9.]{0,8}$/) });
  fc.assert(
    fc.property(fc.array(fc.tuple(mount, fc.nat(3)), { maxLength: 5 }), (mounts) => {
      const text = mounts
        .map(
          ([one, optional]) =>
            `1 2 0:3 / ${escaped(one.point)} rw ${'shared:1 '.repeat(optional)}- ${one.type} x rw\n`,
        )
        .join('');
      expect(parseMountinfo(text)).toEqual(mounts.map(([one]) => one));
    }),
  );
});

test('any text is parsed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'/ -\\0127\nab') }), fc.nat(), (text, end) => {
      parseMountinfo(text);
      new Mounts(parseMountinfo(example.slice(0, end % example.length))).typeOf(text);
    }),
  );
});

test('the mounts of this host are those that findmnt lists', ({ skip }) => {
  let printed: string;
  try {
    printed = execFileSync(
      'findmnt',
      ['--raw', '--noheadings', '--output', 'TARGET,FSTYPE', '--task', String(process.pid)],
      { encoding: 'utf8' },
    );
  } catch {
    return skip();
  }
  const listed = printed.trim().split('\n').sort();
  const own = parseMountinfo(readFileSync('/proc/self/mountinfo', 'utf8')).map(
    ({ point, type }) => `${point} ${type}`,
  );
  expect(own.sort()).toEqual(listed);
});
