import { randomBytes, randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Identifier in the form clients expect: a prefix and 47 upper-case alphanumerics. */
export function newGuid(prefix: string): string {
  const characters = Array.from({ length: 47 }, () => alphabet[randomInt(alphabet.length)]);
  return `${prefix.toUpperCase()}_${characters.join('')}`;
}

/** Key id in the form the CLI accepts: the account's name and 50 upper-case hex digits. */
export function newKeyId(accountName: string): string {
  return `${accountName.toUpperCase()}_${randomBytes(25).toString('hex').toUpperCase()}`;
}

export function newKeySecret(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

export function newToken(): string {
  return `_${randomBytes(32).toString('hex')}`;
}

/** Access token of a host agent: hexadecimal only, as clients print and compare it. */
export function newAgentToken(): string {
  return randomBytes(28).toString('hex');
}

/** Code of a sign-in link: 128 bits, short enough to be copied from a terminal. */
export function newLinkCode(): string {
  return randomBytes(16).toString('base64url');
}

/** Sorts by creation time; unique without coordination through the store. */
export function newSortableId(now: number): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}
