import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRemote, mountType } from './mount-type.ts';

const mountinfo = [
  '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '30 22 0:5 / /mnt/my\\040disk rw - nfs4 server:/x rw',
  '31 22 0:6 / /opt rw shared:3 master:1 - xfs /dev/sdb rw',
  '32 22 0:7 / /opt rw - fuse.sshfs me@host:/ rw',
].join('\n');

test.each([
  ['/usr/bin/env', 'ext4'],
  ['/mnt/my disk/run', 'nfs4'],
  ['/mnt/my disk', 'nfs4'],
  ['/mnt/my disks', 'ext4'],
  ['/opt/run', 'fuse.sshfs'],
])('%s is on %s', (path, type) => {
  expect(mountType(mountinfo, path)).toBe(type);
});

test.each(['nfs', 'nfs4', 'fuse', 'fuse.sshfs', 'fuseblk', 'cifs', '9p'])('%s is remote', (type) => {
  expect(isRemote(type)).toBe(true);
});

test.each(['ext4', 'xfs', 'overlay', 'tmpfs', 'btrfs', 'zfs'])('%s is local', (type) => {
  expect(isRemote(type)).toBe(false);
});

test('any text is read without an error', () => {
  const hostile = fc.string({ unit: fc.constantFrom(...' -/\\04a\n') });
  fc.assert(
    fc.property(hostile, hostile, (text, path) => {
      expect(['string', 'undefined']).toContain(typeof mountType(text, path));
    }),
  );
});
