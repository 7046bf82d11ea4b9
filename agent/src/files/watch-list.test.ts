import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { defaultWatched, expanded, located, matcher, watchedPaths } from './watch-list.ts';

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
  expect(unknown.list).toHaveLength(defaultWatched.length - 1);
  expect(unknown.gaps).toMatchObject([{ what: '~root/.ssh/authorized_keys' }]);
  host.remove();
});

test('a pattern stands for the names that exist', async () => {
  const host = new TestHost();
  for (const name of ['cron.d/a', 'cron.daily/b', 'crontab']) host.write(`/etc/${name}`, '');
  expect(await expanded({ path: '/etc/cron.*' }, host.files)).toEqual(['/etc/cron.d', '/etc/cron.daily']);
  expect(await expanded({ path: '/missing/*' }, host.files)).toEqual([]);
  host.remove();
});

test('a pattern matches as the regular expression does', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab.*'), maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom(...'ab.'), maxLength: 8 }), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/\*+/g, '.*')}$`);
      expect(matcher(pattern)(name)).toBe(expression.test(name));
    }),
    { numRuns: 1_000 },
  );
});
