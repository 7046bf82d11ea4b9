import { type Cursor, RecoverableError } from './cursor.ts';
import type { Token } from './token.ts';

type Closing = ')' | '}';

const closingOf = (open: Token): Closing => (open.text === '(' ? ')' : '}');

/** Comma-separated items and the closing bracket; the opening one is consumed. */
export function readList<T>(cursor: Cursor, open: Token, itemName: string, read: () => T): T[] {
  const items = readItems(cursor, closingOf(open), itemName, read);
  close(cursor, open);
  return items;
}

export function readItems<T>(cursor: Cursor, closing: Closing, itemName: string, read: () => T): T[] {
  const items: T[] = [];
  for (;;) {
    const item = attempt(cursor, read);
    if (item !== undefined) items.push(item);
    if (!endsItem(cursor)) {
      cursor.missing(`Expected \`,\` or \`${closing}\`, but found ${cursor.describeToken()}.`);
      skip(cursor);
    }
    const comma = cursor.takeSymbol(',');
    if (!comma) return items;
    if (!cursor.isSymbol(closing)) continue;
    const fix = { start: comma.start, end: comma.end, text: '' };
    cursor.error(comma, `There is no ${itemName} behind this comma: remove it.`, fix);
    return items;
  }
}

function endsItem(cursor: Cursor): boolean {
  const { kind, text } = cursor.token;
  if (kind === 'symbol') return text === ',' || text === ')' || text === '}';
  return kind === 'end' || cursor.clauseFollows;
}

/** On failure, skips to the next comma or bracket outside the failed item. */
export function attempt<T>(cursor: Cursor, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecoverableError)) throw error;
    skip(cursor);
    return undefined;
  }
}

/** Consumes the closing bracket; on another token, skips to the closing bracket, if any. */
export function close(cursor: Cursor, open: Token, expected = `\`${closingOf(open)}\``): void {
  const closing = closingOf(open);
  if (cursor.takeSymbol(closing)) return;
  const { token } = cursor;
  const brace = token.kind === 'symbol' && token.text === '}';
  if (brace || token.kind === 'end' || cursor.clauseFollows) {
    const fix = { start: cursor.end, end: cursor.end, text: ` ${closing}` };
    cursor.missing(`This \`${open.text}\` is not closed: it needs a \`${closing}\`.`, fix, open);
    return;
  }
  if (cursor.isSymbol(')')) {
    cursor.missing('There is no `(` for this `)`.', { start: token.start, end: token.end, text: '' });
  } else cursor.missing(`Expected ${expected}, but found ${cursor.describeToken()}.`);
  do skip(cursor);
  while (cursor.takeSymbol(',') ?? (closing === '}' ? cursor.takeSymbol(')') : undefined));
  cursor.takeSymbol(closing);
}

/** Skips to a comma or closing bracket of the enclosing construct, to a clause, or to the end. */
export function skip(cursor: Cursor): void {
  let parentheses = 0;
  // Open parentheses at each brace: the closing brace also ends those opened inside.
  const enclosingParentheses: number[] = [];
  for (; cursor.token.kind !== 'end'; cursor.take()) {
    if (enclosingParentheses.length === 0 && cursor.clauseFollows) return;
    if (cursor.token.kind !== 'symbol') continue;
    const { text } = cursor.token;
    if (text === ',' && enclosingParentheses.length === 0 && parentheses === 0) return;
    if (text === '(') parentheses++;
    else if (text === ')') {
      if (parentheses > 0) parentheses--;
      else if (enclosingParentheses.length === 0) return;
    } else if (text === '{') {
      enclosingParentheses.push(parentheses);
      parentheses = 0;
    } else if (text === '}') {
      const before = enclosingParentheses.pop();
      if (before === undefined) return;
      parentheses = before;
    }
  }
}
