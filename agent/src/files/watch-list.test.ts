import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TemporaryHost } from '../testing/temporary-host.ts';
import { expanded, matcher, watchedPaths } from './watch-list.ts';

test('configured paths are normalized, and relative ones left out', () => {
  expect(watchedPaths(['/etc/', 'etc', '/a/../b//c', '/'])).toEqual([
    { path: '/etc' },
    { path: '/b/c' },
    { path: '/' },
  ]);
});

test('a pattern stands for the names that exist', async () => {
  const host = new TemporaryHost();
  for (const name of ['cron.d/a', 'cron.daily/b', 'crontab']) host.write(`/etc/${name}`, '');
  for (const name of ['ann', 'ben']) host.write(`/home/${name}/.profile`, '');
  expect(await expanded('/etc/cron.*', host.files)).toEqual(['/etc/cron.d', '/etc/cron.daily']);
  expect(await expanded('/missing/*', host.files)).toEqual([]);
  expect(await expanded('/home/*/.ssh/keys', host.files)).toEqual([
    '/home/ann/.ssh/keys',
    '/home/ben/.ssh/keys',
  ]);
  expect(await expanded('/home/*/.p*', host.files)).toEqual(['/home/ann/.profile', '/home/ben/.profile']);
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
