import { cut } from './bounded-text.ts';

const longest = 300;
/** Members that hold words for people, in the replies of those we send to. */
const members = ['message', 'text', 'error', 'errors', 'title', 'detail', 'reason', 'description'];

/** Why the other side refused, in its own words. Should it repeat one of the secrets, that is left out. */
export function reasonIn(text: string, secrets: readonly string[]): string {
  const words = [...new Set(wordsIn(jsonIn(text) ?? text.slice(0, 10_000), 0))].join(': ');
  const line = words
    .replace(/<[^>]*>|[\p{Control}\s]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return cut(without(line, secrets), longest);
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
  return members.flatMap((member) => wordsIn(object[member], depth + 1));
}

function without(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap(formsOf)
    .filter((form) => form.length > 3)
    .reduce((clean, form) => clean.replaceAll(form, '***'), text);
}

/** A server that does not know an address likes to repeat its path. */
function formsOf(secret: string): string[] {
  if (!URL.canParse(secret)) return [secret];
  const { pathname, search } = new URL(secret);
  return [secret, `${pathname}${search}`, pathname];
}
