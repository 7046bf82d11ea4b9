/** Column values as raw JSON: numbers may exceed the precision of JavaScript. */
export type Row = ReadonlyMap<string, string>;

const opening = '{"data":[';

/** Undefined when the response is truncated or malformed. */
export function readRows(text: string): Row[] | undefined {
  if (!text.startsWith(opening) || !text.endsWith(']}')) return undefined;
  const rows: Row[] = [];
  let at = opening.length;
  while (text[at] === '{') {
    const row = new Map<string, string>();
    at++;
    while (text[at] === '"') {
      const name = endOf(text, at);
      const value = endOf(text, name + 1);
      row.set(JSON.parse(text.slice(at, name)), text.slice(name + 1, value));
      at = text[value] === ',' ? value + 1 : value;
    }
    rows.push(row);
    at = text[at + 1] === ',' ? at + 2 : at + 1;
  }
  return at === text.length - 2 ? rows : undefined;
}

/** End offset of the JSON value at `start`. */
function endOf(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth === 0 && /[,}\]]/.test(character)) break;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
