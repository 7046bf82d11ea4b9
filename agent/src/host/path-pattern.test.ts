import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TestHost } from '../testing/test-host.ts';
import { isMatch, matchingPaths } from './path-pattern.ts';

test('a pattern stands for the names that exist', async () => {
  const host = new TestHost();
  for (const name of ['cron.d/a', 'cron.daily/b', 'crontab']) host.write(`/etc/${name}`, '');
  const found = (path: string) => matchingPaths(host.files, path, 100);
  expect(await found('/etc/cron.*')).toEqual(['/etc/cron.d', '/etc/cron.daily']);
  expect(await found('/etc/cron.?')).toEqual(['/etc/cron.d']);
  expect(await found('/missing/*')).toEqual([]);
  expect(await found('/missing')).toEqual(['/missing']);
  for (const name of ['ann', 'ben']) host.write(`/home/${name}/.profile`, '');
  expect(await found('/home/*/.ssh/keys')).toEqual(['/home/ann/.ssh/keys', '/home/ben/.ssh/keys']);
  expect(await found('/home/*/.p*')).toEqual(['/home/ann/.profile', '/home/ben/.profile']);
  host.remove();
});

test('a pattern matches as the regular expression does', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab.*?'), maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom(...'ab.'), maxLength: 8 }), (pattern, name) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replace(/\*+/g, '.*');
      expect(isMatch(name, pattern)).toBe(new RegExp(`^${source}$`).test(name));
    }),
    { numRuns: 1_000 },
  );
});
