/** Positions count code points, not UTF-16 code units. */
const characters = (text: string) => [...text];
const clamp = (number: bigint, low: number, high: number) =>
  Number(number < BigInt(low) ? BigInt(low) : number > BigInt(high) ? BigInt(high) : number);

export const lengthOf = (text: string): number => characters(text).length;

export function substring(text: string, start: bigint, length?: bigint): string {
  const all = characters(text);
  const from = clamp(start, -all.length - 1, all.length + 1);
  if (from < -all.length) return '';
  const first = from > 0 ? from - 1 : from === 0 ? 0 : all.length + from;
  const many = length === undefined ? all.length : clamp(length, 0, all.length);
  return all.slice(first, first + many).join('');
}

export const left = (text: string, count: bigint): string => substring(text, 1n, count);

export function right(text: string, count: bigint): string {
  const all = characters(text);
  return all.slice(all.length - clamp(count, 0, all.length)).join('');
}

/** 0 if not found. */
export function charIndex(wanted: string, text: string, start = 1n): bigint {
  const [all, part] = [characters(text), characters(wanted)];
  for (let at = clamp(start, 1, all.length + 2) - 1; at + part.length <= all.length; at++)
    if (part.every((character, place) => all[at + place] === character)) return BigInt(at + 1);
  return 0n;
}

const blank = '[ \\t\\n\\v\\f\\r]+';
export const ltrim = (text: string): string => text.replace(new RegExp(`^${blank}`), '');
export const rtrim = (text: string): string => text.replace(new RegExp(`${blank}$`), '');

export function trim(text: string, count?: bigint): string {
  if (count === undefined) return ltrim(rtrim(text));
  const all = characters(text);
  const many = clamp(count, 0, all.length);
  return all.slice(many, Math.max(many, all.length - many)).join('');
}

/** Per character: one that would map to several is unchanged. */
const cased = (text: string, change: (character: string) => string) =>
  characters(text)
    .map((character) => (lengthOf(change(character)) === 1 ? change(character) : character))
    .join('');
export const lower = (text: string): string => cased(text, (character) => character.toLowerCase());
export const upper = (text: string): string => cased(text, (character) => character.toUpperCase());

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
export function isLike(text: string, pattern: string): boolean | null {
  const source: string[] = [];
  const rest = characters(pattern).values();
  for (const character of rest) {
    if (character === '%') source.push('[^]*');
    else if (character === '_') source.push('[^]');
    else if (character !== '\\') source.push(literally(character));
    else {
      const escaped = rest.next();
      if (escaped.done) return null;
      source.push(literally(escaped.value));
    }
  }
  return new RegExp(`^${source.join('')}$`, 'u').test(text);
}

const literally = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
