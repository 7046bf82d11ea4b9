/** Column values as raw JSON: numbers may exceed the precision of JavaScript. */
export type Row = ReadonlyMap<string, string>;

const opening = '{"data":[';

/** Undefined when the response is truncated or malformed. */
export function readRows(json: string): Row[] | undefined {
  if (!json.startsWith(opening) || !json.endsWith(']}')) return undefined;
  const rows: Row[] = [];
  let at = opening.length;
  while (json[at] === '{') {
    const row = new Map<string, string>();
    at++;
    while (json[at] === '"') {
      const name = endOf(json, at);
      const value = endOf(json, name + 1);
      row.set(JSON.parse(json.slice(at, name)), json.slice(name + 1, value));
      at = json[value] === ',' ? value + 1 : value;
    }
    rows.push(row);
    at = json[at + 1] === ',' ? at + 2 : at + 1;
  }
  return at === json.length - 2 ? rows : undefined;
}

/** End offset of the JSON value at `start`. */
function endOf(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  let depth = 0;
  let at = start;
  for (; at < json.length; at++) {
    const character = json[at] as string;
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (depth === 0 && /[,}\]]/.test(character)) break;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return at;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
