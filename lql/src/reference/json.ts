/** JSON with verbatim numbers. JSON null is a value, unlike null. */
export type Json =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Json> };

const token =
  /\s*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/uy;

/** Null for invalid JSON. */
export function parseJson(text: string): Json | null {
  const tokens: string[] = [];
  let at = 0;
  const trimmed = text.replace(/[ \t\n\r]+$/, '');
  while (at < trimmed.length) {
    token.lastIndex = at;
    const match = token.exec(trimmed);
    if (!match) return null;
    tokens.push(match[0].trim());
    at = token.lastIndex;
  }
  try {
    const queue = tokens.values();
    const value = read(next(queue), queue);
    return queue.next().done ? value : null;
  } catch {
    return null;
  }
}

function next(queue: Iterator<string>): string {
  const { value, done } = queue.next();
  if (done) throw new Error('Unexpected end of input.');
  return value;
}

function read(first: string, queue: Iterator<string>): Json {
  if (first === 'null') return { kind: 'null' };
  if (first === 'true' || first === 'false') return { kind: 'boolean', value: first === 'true' };
  if (first.startsWith('"')) return { kind: 'string', value: readString(first) };
  if (/^[-\d]/.test(first)) return { kind: 'number', digits: first };
  if (first === '[') return { kind: 'array', items: readItems(queue) };
  if (first === '{') return { kind: 'object', members: readMembers(queue) };
  throw new Error(`Unexpected token ${first}.`);
}

function readString(quoted: string): string {
  const value: string = JSON.parse(quoted);
  if (/\p{Surrogate}/u.test(value)) throw new Error('Lone surrogate.');
  return value;
}

function readItems(queue: Iterator<string>): Json[] {
  const items: Json[] = [];
  let token = next(queue);
  if (token === ']') return items;
  for (;;) {
    items.push(read(token, queue));
    const after = next(queue);
    if (after === ']') return items;
    if (after !== ',') throw new Error('Expected a comma.');
    token = next(queue);
  }
}

function readMembers(queue: Iterator<string>): Map<string, Json> {
  const members = new Map<string, Json>();
  let token = next(queue);
  if (token === '}') return members;
  for (;;) {
    if (!token.startsWith('"') || next(queue) !== ':') throw new Error('Expected a key.');
    members.set(readString(token), read(next(queue), queue));
    const after = next(queue);
    if (after === '}') return members;
    if (after !== ',') throw new Error('Expected a comma.');
    token = next(queue);
  }
}

/** Without white space, keys in stored order. */
export function writeJson(json: Json): string {
  switch (json.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(json.value);
    case 'number':
      return json.digits;
    case 'string':
      return JSON.stringify(json.value);
    case 'array':
      return `[${json.items.map(writeJson).join(',')}]`;
    case 'object':
      return `{${[...json.members].map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(',')}}`;
  }
}

export function atPath(json: Json | null, keys: readonly string[]): Json | null {
  let at = json;
  for (const key of keys) at = at?.kind === 'object' ? (at.members.get(key) ?? null) : null;
  return at;
}

/** The content of a string, serialized JSON of other values, null for JSON null. */
export function stringOfJson(json: Json): string | null {
  if (json.kind === 'null') return null;
  return json.kind === 'string' ? json.value : writeJson(json);
}
