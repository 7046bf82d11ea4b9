/** Positions count code points, not UTF-16 code units. */
const characters = (string: string) => [...string];
const clamp = (number: bigint, low: number, high: number) =>
  Number(number < BigInt(low) ? BigInt(low) : number > BigInt(high) ? BigInt(high) : number);

export const lengthOf = (string: string): number => characters(string).length;

export function substring(string: string, start: bigint, length?: bigint): string {
  const all = characters(string);
  const from = clamp(start, -all.length - 1, all.length + 1);
  if (from < -all.length) return '';
  const first = from > 0 ? from - 1 : from === 0 ? 0 : all.length + from;
  const count = length === undefined ? all.length : clamp(length, 0, all.length);
  return all.slice(first, first + count).join('');
}

export const left = (string: string, count: bigint): string => substring(string, 1n, count);

export function right(string: string, count: bigint): string {
  const all = characters(string);
  return all.slice(all.length - clamp(count, 0, all.length)).join('');
}

/** 0 if not found. */
export function charIndex(search: string, string: string, start = 1n): bigint {
  const [all, part] = [characters(string), characters(search)];
  for (let at = clamp(start, 1, all.length + 2) - 1; at + part.length <= all.length; at++)
    if (part.every((character, offset) => all[at + offset] === character)) return BigInt(at + 1);
  return 0n;
}

const whiteSpace = '[ \\t\\n\\v\\f\\r]+';
export const ltrim = (string: string): string => string.replace(new RegExp(`^${whiteSpace}`), '');
export const rtrim = (string: string): string => string.replace(new RegExp(`${whiteSpace}$`), '');

export function trim(string: string, count?: bigint): string {
  if (count === undefined) return ltrim(rtrim(string));
  const all = characters(string);
  const removed = clamp(count, 0, all.length);
  return all.slice(removed, Math.max(removed, all.length - removed)).join('');
}

/** Per character: one that would map to several is unchanged. */
const cased = (string: string, change: (character: string) => string) =>
  characters(string)
    .map((character) => (lengthOf(change(character)) === 1 ? change(character) : character))
    .join('');
export const lower = (string: string): string => cased(string, (character) => character.toLowerCase());
export const upper = (string: string): string => cased(string, (character) => character.toUpperCase());

/** By code point. */
export function compareStrings(first: string, second: string): number {
  const [a, b] = [characters(first), characters(second)];
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Null if the pattern ends with an escape character. */
export function isLike(string: string, pattern: string): boolean | null {
  const source: string[] = [];
  const rest = characters(pattern).values();
  for (const character of rest) {
    if (character === '%') source.push('[^]*');
    else if (character === '_') source.push('[^]');
    else if (character !== '\\') source.push(escapeRegExp(character));
    else {
      const escaped = rest.next();
      if (escaped.done) return null;
      source.push(escapeRegExp(escaped.value));
    }
  }
  return new RegExp(`^${source.join('')}$`, 'u').test(string);
}

const escapeRegExp = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
