import type { StringForm } from './tree.ts';

export interface ReadString {
  readonly value: string;
  /** Offset after the closing quote, or the end of the input. */
  readonly end: number;
  readonly closed: boolean;
  /** Offsets of backslashes that are unknown or probably unintended escapes. */
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

/** `open` is the offset of the opening quote. */
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

/** An unknown escape drops the backslash. */
function readEscape(text: string, at: number): { value: string; length: number; unknown: boolean } {
  const character = text[at] ?? '';
  const simple = simpleEscapes[character];
  if (simple !== undefined) return { value: simple, length: 1, unknown: false };
  const unit = character === 'u' ? unitAt(text, at + 1) : undefined;
  if (unit !== undefined) return { value: unit, length: 5, unknown: false };
  return { value: character, length: character.length, unknown: character !== '"' && character !== '\\' };
}

const escapeSequences = new Map(
  [...Object.entries(simpleEscapes), ['"', '"'], ['\\', '\\']].map(([letter, value]) => [
    value,
    `\\${letter}`,
  ]),
);

const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export function writeString(value: string, form: StringForm): string {
  if (form === 'plain') return `s'${value.replaceAll("'", "''")}'`;
  if (form === 'legacy') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
  return `"${value.replace(/["\\\u0000-\u001f]/g, (found) => escapeSequences.get(found) ?? unit(found))}"`;
}
