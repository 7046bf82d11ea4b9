import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseGroup, parsePasswd } from './passwd.ts';

test('users have their ids, home and shell', () => {
  const text =
    'root:x:0:0:root:/var/roothome:/bin/bash\n\n# comment\n+@nis::::::\nweb:x:33:44:,,,:/var/www:\nbad:x:-1:0::/:\n';
  expect(parsePasswd(text)).toEqual([
    { name: 'root', uid: 0, gid: 0, home: '/var/roothome', shell: '/bin/bash' },
    { name: 'web', uid: 33, gid: 44, home: '/var/www', shell: '' },
  ]);
});

test('groups have their members', () => {
  expect(parseGroup('sudo:x:27:ann,bob\nempty:x:28:\nlarge:x:4294967296:\n')).toEqual([
    { name: 'sudo', gid: 27, members: ['ann', 'bob'] },
    { name: 'empty', gid: 28, members: [] },
  ]);
});

test('whatever the files contain, ids are numbers of 32 bits', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...':\n0123456789-x,\0') }), (text) => {
      const ids = [
        ...parsePasswd(text).flatMap(({ uid, gid }) => [uid, gid]),
        ...parseGroup(text).map(({ gid }) => gid),
      ];
      for (const id of ids) expect(Number.isInteger(id) && id >= 0 && id < 2 ** 32).toBe(true);
    }),
  );
});
