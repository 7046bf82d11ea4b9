import type { StringForm } from './tree.ts';

/** A string as it stands in the text, read from its quote onwards. */
export interface ReadString {
  readonly value: string;
  /** Behind the closing quote, or the end of the text when there is none. */
  readonly end: number;
  readonly closed: boolean;
  /** Where backslashes stand that the form does not know, or knows for something that is seldom meant. */
  readonly odd: readonly number[];
}

const simpleEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function unitAt(text: string, at: number): string | undefined {
  const hex = text.slice(at, at + 4);
  return /^[0-9A-Fa-f]{4}$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : undefined;
}

/** Reads the string whose opening quote stands at `open`. */
export function readString(text: string, open: number, form: StringForm): ReadString {
  const quote = form === 'escaped' ? '"' : "'";
  const parts: string[] = [];
  const odd: number[] = [];
  let from = open + 1;
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === quote) {
      parts.push(text.slice(from, at));
      if (form === 'escaped' || text[at + 1] !== quote) {
        return { value: parts.join(''), end: at + 1, closed: true, odd };
      }
      at++;
      from = at;
    } else if (character === '\\' && form !== 'plain') {
      parts.push(text.slice(from, at));
      const read = readEscape(text, at + 1);
      if (form === 'legacy' ? !/^['"\\]$/.test(read.value) : read.unknown) odd.push(at);
      parts.push(read.value);
      at += read.length;
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return { value: parts.join(''), end: text.length, closed: false, odd };
}

/** What stands behind a backslash; one that means nothing is dropped. */
function readEscape(text: string, at: number): { value: string; length: number; unknown: boolean } {
  const character = text[at] ?? '';
  const simple = simpleEscapes[character];
  if (simple !== undefined) return { value: simple, length: 1, unknown: false };
  const unit = character === 'u' ? unitAt(text, at + 1) : undefined;
  if (unit !== undefined) return { value: unit, length: 5, unknown: false };
  return { value: character, length: character.length, unknown: character !== '"' && character !== '\\' };
}

const escapesWritten = new Map(
  [...Object.entries(simpleEscapes), ['"', '"'], ['\\', '\\']].map(([letter, value]) => [
    value,
    `\\${letter}`,
  ]),
);

const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text of a string of this form. */
export function writeString(value: string, form: StringForm): string {
  if (form === 'plain') return `s'${value.replaceAll("'", "''")}'`;
  if (form === 'legacy') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
  return `"${value.replace(/["\\\u0000-\u001f]/g, (found) => escapesWritten.get(found) ?? unit(found))}"`;
}
