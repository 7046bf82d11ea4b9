import { cut } from './bounded-string.ts';

/** More than is shown in the end: a secret that is cut before it is taken out would not be recognized. */
const longest = 2_000;
/** Characters that are looked at: a reply may have a million, and whoever sends it chooses them. */
const read = 10_000;
/** Members that hold words for people, in the replies of those we send to. */
const members = [
  'message',
  'text',
  'error',
  'errors',
  'errorMessages',
  'title',
  'detail',
  'reason',
  'description',
];

/** Why the other side refused, in its own words: all that it said where they are not found. */
export function reasonIn(text: string): string {
  const found = wordsIn(jsonIn(text), 0);
  const words = found.length > 0 ? [...new Set(found)].join(': ') : text;
  const line = words
    .slice(0, read)
    .replace(/<[^<>]*>|[\p{Control}\s]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return cut(line, longest);
}

/** The JSON of a reply; undefined where it is none, as a proxy in between may answer anything. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wordsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => wordsIn(one, depth + 1));
  const object = value as Record<string, unknown>;
  const known = members.flatMap((member) => wordsIn(object[member], depth + 1));
  return known.length > 0 || depth === 0 ? known : wordsByName(object);
}

/** As in the errors of a form, by the names of its fields. */
function wordsByName(object: Readonly<Record<string, unknown>>): string[] {
  const words = Object.entries(object).filter(([, word]) => typeof word === 'string');
  return words.slice(0, 5).map(([name, word]) => `${name}: ${word}`);
}
