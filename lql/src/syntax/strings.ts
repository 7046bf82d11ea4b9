import type { StringForm } from './tree.ts';

export interface ScannedString {
  readonly value: string;
  /** Offset after the closing quote, or the end of the input. */
  readonly end: number;
  readonly closed: boolean;
  /** Offsets of backslashes that are unknown or probably unintended escapes. */
  readonly suspectEscapes: readonly number[];
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
export function readString(text: string, open: number, form: StringForm): ScannedString {
  const quote = form === 'escaped' ? '"' : "'";
  const chunks: string[] = [];
  const suspectEscapes: number[] = [];
  let from = open + 1;
  let at = from;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === quote) {
      chunks.push(text.slice(from, at));
      if (form === 'escaped' || text[at + 1] !== quote) {
        return { value: chunks.join(''), end: at + 1, closed: true, suspectEscapes };
      }
      at++;
      from = at;
    } else if (character === '\\' && form !== 'plain') {
      chunks.push(text.slice(from, at));
      const read = readEscape(text, at + 1);
      if (form === 'legacy' ? !/^['"\\]$/.test(read.value) : read.unknown) suspectEscapes.push(at);
      chunks.push(read.value);
      at += read.length;
      from = at + 1;
    }
  }
  chunks.push(text.slice(from));
  return { value: chunks.join(''), end: text.length, closed: false, suspectEscapes };
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

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export function writeString(value: string, form: StringForm): string {
  if (form === 'plain') return `s'${value.replaceAll("'", "''")}'`;
  if (form === 'legacy') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
  return `"${value.replace(/["\\\u0000-\u001f]/g, (character) => escapeSequences.get(character) ?? unicodeEscape(character))}"`;
}
