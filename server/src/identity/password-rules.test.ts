import { describe, expect, test } from 'vitest';
import { checkPassword } from './password-rules.ts';

const ownWords = ['ada.byron@amberwood.example', 'Ada', 'Byron', 'amberwood', 'local'];
const problemOf = (password: string) => {
  try {
    checkPassword(password, ownWords);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a password', () => {
  test.each([
    'seven green rivers',
    'hsvkqpwmzrtx',
    '            a b c d', // Spaces count like any character.
    'Пять зелёных рек',
    'my password is seven green rivers',
    'amberwood has seven rivers',
    `${'x'.repeat(251)}abcde`,
  ])('may be %j', (password) => expect(problemOf(password)).toBeUndefined());

  test.each([
    ['elevenchars', 'password must have at least 12 characters'],
    ['😀😁😂😃😄😅😆😇😈', 'password must have at least 12 characters'],
    ['x'.repeat(257), 'password must have at most 256 characters'],
    ['aaaaaaaaaaaaaaa', 'password must have at least 5 different characters'],
    ['121212121212', 'password must have at least 5 different characters'],
    ['ada.byron@amberwood.example', 'must not consist of your e-mail'],
    ['Amberwood-Byron-2026', 'must not consist of your e-mail'],
    ['AdaAdaAdaAda1!', 'must have at least 5 different characters|must not consist of your e-mail'],
    ['Password2026!', 'one of the commonest passwords'],
    ['qwertyuiop123456', 'one of the commonest passwords'],
    ['correct horse battery staple', 'one of the commonest passwords'],
    ['Amberwood-Summer', 'must not consist of your e-mail|one of the commonest passwords'],
    ['vedette-admin-1', 'one of the commonest passwords'],
  ])('must not be %j', (password, message) => expect(problemOf(password)).toMatch(new RegExp(message)));
});
