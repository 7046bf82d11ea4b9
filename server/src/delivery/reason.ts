import { truncate } from './bounded-string.ts';

/** Longer than displayed in the end: a secret truncated before redaction would not be recognised. */
const maxReasonLength = 2_000;
/** Characters that are examined: a reply may have a million, and its content is untrusted. */
const maxExamined = 10_000;
/** Members with error messages in the replies of supported receivers. */
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

/** The error message in a reply, or the whole reply if none is recognised. */
export function reasonIn(text: string): string {
  const messages = messagesIn(jsonIn(text), 0);
  const reason = messages.length > 0 ? [...new Set(messages)].join(': ') : text;
  const line = reason
    .slice(0, maxExamined)
    .replace(/<[^<>]*>|[\p{Control}\s]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return truncate(line, maxReasonLength);
}

/** The JSON of a reply; undefined if it is not JSON, for example from a proxy. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messagesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => messagesIn(one, depth + 1));
  const object = value as Record<string, unknown>;
  const known = members.flatMap((member) => messagesIn(object[member], depth + 1));
  return known.length > 0 || depth === 0 ? known : fieldErrors(object);
}

/** Field errors, by field name. */
function fieldErrors(object: Readonly<Record<string, unknown>>): string[] {
  const errors = Object.entries(object).filter(([, error]) => typeof error === 'string');
  return errors.slice(0, 5).map(([name, error]) => `${name}: ${error}`);
}
