import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { userRow } from '../identity/user-row.ts';
import { nameOf, splitName } from './profile.ts';

const row = (first_name: string, last_name: string) =>
  userRow({ id: 'o', name: 'o' }, 0, { email: 'a@b', updated_by: 'x', first_name, last_name });
const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '-', '😀'), minLength: 1, maxLength: 5 });

describe('a name', () => {
  test('is the same after splitting and joining', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const name = words.join(' ');
        const { firstName = '', lastName = '' } = splitName(` ${name} `);
        expect(nameOf(row(firstName, lastName))).toBe(name);
      }),
    );
  });

  test('is not split again if unchanged', () => {
    expect(splitName('Mary Ann Smith', row('Mary Ann', 'Smith'))).toEqual({});
    expect(splitName('Mary Ann Jones', row('Mary Ann', 'Smith'))).toEqual({
      firstName: 'Mary',
      lastName: 'Ann Jones',
    });
  });
});
