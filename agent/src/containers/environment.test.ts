import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskedEnvironment } from './environment.ts';

test('names are kept, values only if they are harmless', () => {
  const variables = [
    'PATH=/bin:/usr/bin',
    'DB_PASSWORD=a=b',
    'FLAG',
    '=x',
    'TZ=UTC',
    'PATHS=/x',
    '__proto__=y',
  ];
  expect(Object.entries(maskedEnvironment(variables))).toEqual([
    ['PATH', '/bin:/usr/bin'],
    ['DB_PASSWORD', '***'],
    ['FLAG', '***'],
    ['TZ', 'UTC'],
    ['PATHS', '***'],
    ['__proto__', '***'],
  ]);
});

test('no other value is reported', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z_]{1,12}$/), fc.string(), (name, value) => {
      const masked = maskedEnvironment([`X${name}=secret-${value}`]);
      expect(JSON.stringify(masked)).not.toContain('secret-');
    }),
  );
});
