import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRpmQuery } from './rpm-query.ts';

test('packages are read as rpm -qa prints them', () => {
  const output =
    'bash\t(none)\t4.4.20\t4.el8\tx86_64\nbind\t32\t9.11\t1\tx86_64\ngpg-pubkey\t(none)\tfd431d51\t4ae0493b\t(none)\n';
  expect(parseRpmQuery(Buffer.from(output))).toEqual({
    packages: [
      { name: 'bash', version: '4.4.20-4.el8', arch: 'x86_64' },
      { name: 'bind', version: '32:9.11-1', arch: 'x86_64' },
    ],
    damaged: 0,
  });
});

test('other lines, and one without its end, are damaged', () => {
  const output = 'error: rpmdb\nbash\t(none)\t4\t1\tx86_64\tx\na\tb\t1\t1\tx86_64\nbash\t(none)\t4\t1\tx86_6';
  expect(parseRpmQuery(Buffer.from(output))).toEqual({ packages: [], damaged: 4 });
});

test('any bytes are parsed without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseRpmQuery(Buffer.from(bytes))),
  );
});
