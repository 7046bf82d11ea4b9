import type { Cursor } from './cursor.ts';
import { readExpression } from './expression.ts';
import { isExpansion } from './keywords.ts';
import { close, readList } from './list.ts';
import type { Token } from './token.ts';
import type { Branch, Connected, Expansion, Name, SourceItem, StringLiteral } from './tree.ts';

const opens = (token: Token) => token.kind === 'symbol' && token.text === '(';

export function readSourceItem(cursor: Cursor): SourceItem {
  const { token } = cursor;
  if (token.kind === 'word' && opens(cursor.peek(1))) {
    if (isExpansion(token.text)) return readExpansion(cursor);
    cursor.fail('Only `array_to_rows` and `array_to_rows_non_empty` are allowed as functions in a source.');
  }
  if (opens(token)) rejectGroup(cursor);
  const item = readConnected(cursor);
  rejectStrayOn(cursor);
  if (cursor.isWord('with')) {
    cursor.fail(
      'On the left of `with`, only one datasource is allowed: write it directly after the one that it relates to.',
    );
  }
  return item;
}

function rejectGroup(cursor: Cursor): never {
  return cursor.fail(
    'On the left of `with`, only one datasource is allowed: write `A with B with C` when C relates to B, or `A with (B, C)` when both relate to A.',
  );
}

function readConnected(cursor: Cursor): Connected {
  const datasource = cursor.name('a datasource');
  const continues = cursor.isWord('with') || cursor.isWord('on') || opens(cursor.peek(1));
  const alias = readAlias(cursor, !continues);
  const branches = cursor.takeWord('with') ? cursor.nested(() => readTarget(cursor)) : [];
  return { kind: 'connected', datasource, alias, branches, start: datasource.start, end: cursor.end };
}

function readTarget(cursor: Cursor): Branch[] {
  const open = cursor.takeSymbol('(');
  return open ? readList(cursor, open, 'datasource', () => readBranch(cursor)) : [readBranch(cursor)];
}

function readBranch(cursor: Cursor): Branch {
  if (opens(cursor.token)) rejectGroup(cursor);
  const to = readConnected(cursor);
  const on = cursor.isWord('on') ? readRelationship(cursor) : undefined;
  return { to, on, start: to.start, end: cursor.end };
}

/** The name of a relationship. The catalogue defines its join columns. */
function readRelationship(cursor: Cursor): StringLiteral | undefined {
  const before = cursor.end;
  const word = cursor.take();
  const { kind, text, form, start, end } = cursor.token;
  if (kind === 'string') {
    cursor.take();
    return { kind: 'string', form: form ?? 'legacy', value: text, start, end };
  }
  readExpression(cursor);
  cursor.error(
    { start: word.start, end: cursor.end },
    "`on` takes the name of a relationship in quotes, such as '(default)', which defines the join columns: remove this.",
    { start: before, end: cursor.end, text: '' },
  );
  return undefined;
}

function rejectStrayOn(cursor: Cursor): void {
  if (cursor.isWord('on')) {
    cursor.fail(
      '`on` belongs after the datasource that follows `with`: inside the parentheses, if there are any.',
    );
  }
}

/** `as name` or just `name`. */
export function readAlias(cursor: Cursor, bare = true): Name | undefined {
  if (cursor.takeWord('as')) return cursor.name('an alias');
  return bare && cursor.token.kind === 'word' && !cursor.clauseFollows ? cursor.name('an alias') : undefined;
}

function readExpansion(cursor: Cursor): Expansion {
  const word = cursor.take();
  const open = cursor.take();
  const array = readExpression(cursor);
  close(cursor, open);
  const { table, column } = readExpandedName(cursor);
  const nonEmpty = word.text.toLowerCase() === 'array_to_rows_non_empty';
  return { kind: 'expansion', nonEmpty, array, table, column, start: word.start, end: cursor.end };
}

/** `as (column)`, `as column`, `(column)`, `column`, or `table(column)` with or without `as`. */
function readExpandedName(cursor: Cursor): { table: Name | undefined; column: Name } {
  cursor.takeWord('as');
  const role = 'a name for the rows, as in `array_to_rows(…) as (item)`';
  const parenthesised = () => {
    const open = cursor.take();
    const column = cursor.name(role);
    close(cursor, open);
    return column;
  };
  if (opens(cursor.token)) return { table: undefined, column: parenthesised() };
  const name = cursor.name(role);
  return opens(cursor.token) ? { table: name, column: parenthesised() } : { table: undefined, column: name };
}
