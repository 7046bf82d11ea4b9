import { expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { defaultWatched, located, watchedPaths } from './watch-list.ts';

test('configured paths are normalized, and relative ones left out', () => {
  expect(watchedPaths(['/etc/', 'etc', '/a/../b//c', '/'])).toEqual([
    { path: '/etc' },
    { path: '/b/c' },
    { path: '/' },
  ]);
});

test('the home of root is that of the host, and a gap if it is not known', async () => {
  const host = new TestHost();
  host.write('/etc/passwd', 'web:x:33:33::/srv:\nadmin:x:0:0::/var/roothome:\ntoor:x:0:0::/tmp:\n');
  const found = await located(defaultWatched, host.files);
  expect(found.gaps).toEqual([]);
  expect(found.list).toHaveLength(defaultWatched.length);
  expect(found.list).toContainEqual({ path: '/var/roothome/.ssh/authorized_keys' });
  host.write('/etc/passwd', '');
  const unknown = await located(defaultWatched, host.files);
  expect(unknown.list).toHaveLength(defaultWatched.length - 2);
  expect(unknown.gaps).toMatchObject([
    { what: '~root/.ssh/authorized_keys' },
    { what: '~root/.ssh/authorized_keys2' },
  ]);
  host.remove();
});
