import { refuseField } from '../platform/checks.ts';

const minLength = 12;
export const maxPasswordLength = 256;
/** Characters that must remain besides the user's own and the commonest words. */
const minOther = 8;
const minDistinct = 5;

/** The parts of which the commonest long passwords are made. */
const commonWords = [
  ...['password', 'passwort', 'passw0rd', 'p@ssw0rd', 'p@ssword', 'kennwort', 'secret', 'letmein', 'welcome'],
  ...['willkommen', 'iloveyou', 'changeme', 'default', 'administrator', 'admin', 'security', 'trustno1'],
  ...['1234567890', '123456789', '12345678', '1234567', '123456', '12345', '0987654321', '987654321'],
  ...['qwertyuiop', 'qwertzuiop', 'qwerty', 'qwertz', 'azerty', 'asdfghjkl', 'asdfgh', 'zxcvbnm', 'yxcvbnm'],
  ...['1q2w3e4r5t6y', '1q2w3e4r5t', '1q2w3e4r', '1qaz2wsx3edc', '1qaz2wsx', 'qazwsxedc', 'qazwsx'],
  ...['abcdefghijklmnopqrstuvwxyz', 'abcdefghijkl', 'abcdefgh', 'abcdef', 'abc123', 'aa123456', 'q1w2e3r4'],
  ...['monkey', 'dragon', 'sunshine', 'princess', 'football', 'baseball', 'superman', 'batman', 'master'],
  ...['correcthorsebatterystaple', 'correct horse battery staple', 'correct-horse-battery-staple'],
  ...['spring', 'summer', 'autumn', 'winter', 'vedette'],
];

/**
 * Refuses a password that is short or easily guessed. Length is what counts: no kinds of characters are required.
 * `ownWords` are the user's e-mail address and names, and those of their accounts and organization.
 */
export function checkPassword(password: string, ownWords: readonly string[]): void {
  const length = [...password].length;
  if (length < minLength)
    throw refuse(
      `must have at least ${minLength} characters: a sentence of several words is easy to remember.`,
    );
  if (length > maxPasswordLength) throw refuse(`must have at most ${maxPasswordLength} characters.`);
  if (new Set(password.toLowerCase()).size < minDistinct)
    throw refuse(`must have at least ${minDistinct} different characters: add other words.`);
  const own = withoutWords(password.toLowerCase(), ownWords.flatMap(partsOf));
  if ([...own].length < minOther)
    throw refuse('must not consist of your e-mail address, name, account or organization: add other words.');
  const other = withoutWords(own, commonWords);
  // The digits and signs that people append to a common word.
  if (other.length < own.length && [...other].length < minOther)
    throw refuse(
      'is one of the commonest passwords or close to one: choose words that do not belong together.',
    );
}

/** The whole and the parts of an e-mail address or name; shorter ones occur in any password. */
function partsOf(word: string): string[] {
  const lower = word.toLowerCase();
  return [lower, ...lower.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length >= 3);
}

function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), password);
}

function refuse(complaint: string) {
  return refuseField('INVALID_INPUT', 'password', complaint);
}
