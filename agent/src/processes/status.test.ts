import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUsers } from './status.ts';

const id = fc.nat(2 ** 32 - 1);

test('the real and the effective user are read', () => {
  fc.assert(
    fc.property(id, id, (uid, effectiveUid) => {
      const text = `Name:\tsudo\nPid:\t12\nUid:\t${uid}\t${effectiveUid}\t0\t0\nGid:\t0\t0\t0\t0\n`;
      expect(parseUsers(text)).toEqual({ uid, effectiveUid });
    }),
  );
});

test('a name can not pretend to be another user: the kernel escapes its line breaks', () => {
  const text = 'Name:\tx\\nUid:\t5\t5\t5\t5\nUid:\t1\t2\t1\t1\n';
  expect(parseUsers(text)).toEqual({ uid: 1, effectiveUid: 2 });
});

test('anything else has no users', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'Uid:\t\n0129-') }), (text) => {
      const users = parseUsers(text);
      if (users) for (const one of Object.values(users)) expect(one >= 0 && one < 2 ** 32).toBe(true);
    }),
  );
  expect(parseUsers('Uid:\t4294967296\t0\t0\t0\n')).toBeUndefined();
  expect(parseUsers('')).toBeUndefined();
});
