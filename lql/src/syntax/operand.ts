import type { Cursor } from './cursor.ts';
import { readExpression } from './expression.ts';
import { isIdentifier, isOperatorWord, isReserved } from './keywords.ts';
import { readList } from './list.ts';
import { writeString } from './strings.ts';
import type { Token } from './token.ts';
import type { Case, CaseBranch, Expression, Key, Literal, Name, Row } from './tree.ts';

/** `-x`, and operators with higher precedence. */
export function readUnary(cursor: Cursor): Expression {
  const minus = cursor.takeSymbol('-');
  if (!minus) return readPostfix(cursor);
  const of = cursor.nested(() => readUnary(cursor));
  return { kind: 'negative', of, start: minus.start, end: of.end };
}

/** A value with its paths and casts. */
function readPostfix(cursor: Cursor): Expression {
  let value = readPrimary(cursor);
  for (;;) {
    if (cursor.takeSymbol(':')) value = readPath(cursor, value);
    else if (cursor.takeSymbol('::')) {
      const to = cursor.name('a type');
      value = { kind: 'cast', of: value, to, start: value.start, end: to.end };
    } else if (cursor.isSymbol('[')) {
      rejectIndex(cursor);
      if (cursor.takeSymbol('.')) value = readPath(cursor, value);
    } else return value;
  }
}

function readPath(cursor: Cursor, of: Expression): Expression {
  const keys: Key[] = [];
  do {
    keys.push(readKey(cursor));
    while (cursor.isSymbol('[')) rejectIndex(cursor);
  } while (cursor.takeSymbol('.'));
  return { kind: 'path', of, keys, start: of.start, end: cursor.end };
}

function readKey(cursor: Cursor): Key {
  const { kind, text, form, start, end } = cursor.token;
  const quoted = { start, end, text: writeString(text, 'escaped') };
  if (kind === 'string') {
    if (form !== 'escaped') cursor.error(cursor.token, 'A key is quoted with double quotes.', quoted);
    cursor.take();
    return { text, quoted: true, start, end };
  }
  if (kind === 'number') cursor.fail('A key that is not a name needs double quotes.', quoted);
  if (kind !== 'word') cursor.failExpected('a key: a name, or a string in double quotes');
  if (isReserved(text)) {
    cursor.error(cursor.token, `\`${text}\` is a reserved word: as a key it needs double quotes.`, quoted);
  } else if (!isIdentifier(text)) {
    cursor.error(cursor.token, `A key that does not begin with a letter needs double quotes.`, quoted);
  }
  cursor.take();
  return { text, quoted: false, start, end };
}

/** Continues after the index. */
function rejectIndex(cursor: Cursor): void {
  const open = cursor.token;
  const length = cursor.peek(1).kind === 'symbol' ? 1 : 2;
  const last = cursor.peek(length);
  const closed = last.kind === 'symbol' && last.text === ']';
  cursor.missing(
    'LQL has no array index: add `array_to_rows(…) as (item)` to the source, which makes a row of each item, and filter them.',
    undefined,
    { start: open.start, end: closed ? last.end : open.end },
  );
  if (!closed) cursor.unwind();
  for (let consumed = 0; consumed <= length; consumed++) cursor.take();
}

function isName(cursor: Cursor): boolean {
  const { keyword, text } = cursor.token;
  if (keyword === undefined) return true;
  if (keyword === 'not' || cursor.clauseFollows) return false;
  const next = cursor.peek(1);
  // No function has the name of a keyword.
  if (next.kind === 'symbol') return next.text !== '(' && !(next.text === '-' && isOperatorWord(text));
  return !isOperatorWord(text);
}

function readPrimary(cursor: Cursor): Expression {
  const { token } = cursor;
  if (token.kind === 'word') {
    const literal = readWordLiteral(cursor);
    if (literal) return literal;
    if (isName(cursor)) return readNamed(cursor);
    if (token.keyword === 'case') return readCase(cursor);
  }
  if (token.kind === 'string' || token.kind === 'number') return readLiteral(cursor) as Literal;
  if (cursor.isSymbol('(')) return readParenthesised(cursor);
  if (cursor.isSymbol('*')) cursor.fail('Write `name.*` instead of `*`; it is only allowed in `return`.');
  if (cursor.isWord('not')) cursor.fail('`not` and its operand need parentheses here.');
  return cursor.failExpected('a value');
}

/** A string, a number, `true`, `false` or `null`. */
export function readLiteral(cursor: Cursor): Literal | undefined {
  const { kind, text, form, start, end } = cursor.token;
  if (kind === 'string') {
    cursor.take();
    return { kind: 'string', form: form ?? 'legacy', value: text, start, end };
  }
  if (kind === 'number') {
    cursor.take();
    return { kind: 'number', digits: text, start, end };
  }
  return readWordLiteral(cursor);
}

function readWordLiteral(cursor: Cursor): Literal | undefined {
  const { keyword, start, end } = cursor.token;
  if (keyword === 'null') {
    cursor.take();
    return { kind: 'null', start, end };
  }
  if (keyword !== 'true' && keyword !== 'false') return undefined;
  cursor.take();
  return { kind: 'boolean', value: keyword === 'true', start, end };
}

/** A call, or a column with or without its source. */
function readNamed(cursor: Cursor): Expression {
  const next = cursor.peek(1);
  if (next.kind === 'symbol' && next.text === '(') return readCall(cursor);
  const name = cursor.name('a column');
  if (!cursor.takeSymbol('.'))
    return { kind: 'column', source: undefined, column: name, start: name.start, end: name.end };
  const column = cursor.name('a column');
  rejectThirdName(cursor, name, column);
  return { kind: 'column', source: name, column, start: name.start, end: column.end };
}

function rejectThirdName(cursor: Cursor, source: Name, column: Name): void {
  const dot = cursor.token;
  if (!cursor.isSymbol('.')) return;
  cursor.fail(
    `A colon separates a column from its keys: \`${source.text}:${column.text}.…\`, or \`${source.text}.${column.text}:…\` when \`${source.text}\` is a source.`,
    { start: source.end, end: column.start, text: ':' },
    { start: source.start, end: dot.end },
  );
}

function readCall(cursor: Cursor): Expression {
  const { text, start, end } = cursor.take();
  const open = cursor.take();
  const readValues = () => readList(cursor, open, 'value', () => readExpression(cursor));
  // Engines take seconds to plan a hundred nested calls; the arguments add a level of their own.
  const values = cursor.takeSymbol(')') ? [] : cursor.nested(readValues, 3);
  return { kind: 'call', name: { text, start, end }, values, start, end: cursor.end };
}

function readCase(cursor: Cursor): Case {
  const { start } = cursor.take();
  const subject = cursor.isWord('when') ? undefined : readExpression(cursor);
  const branches: CaseBranch[] = [];
  do branches.push(readCaseBranch(cursor));
  while (cursor.isWord('when'));
  const otherwise = cursor.takeWord('else') ? readExpression(cursor) : undefined;
  if (!cursor.takeWord('end')) cursor.failExpected(otherwise ? '`end`' : '`when`, `else` or `end`');
  return { kind: 'case', subject, branches, otherwise, start, end: cursor.end };
}

function readCaseBranch(cursor: Cursor): CaseBranch {
  const { start } = cursor.takeWord('when') ?? cursor.failExpected('`when`');
  const when = readExpression(cursor);
  if (!cursor.takeWord('then')) cursor.failExpected('`then`');
  const then = readExpression(cursor);
  return { when, then, start, end: then.end };
}

function readParenthesised(cursor: Cursor): Expression {
  const open: Token = cursor.take();
  const values = readList(cursor, open, 'value', () => readExpression(cursor));
  const span = { start: open.start, end: cursor.end };
  const [only] = values;
  if (!only) return cursor.unwind();
  if (values.length === 1) return { ...only, ...span };
  return { kind: 'row', values, ...span } satisfies Row;
}
