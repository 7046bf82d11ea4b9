import type { Span } from '../text/span.ts';
import type { Cursor } from './cursor.ts';
import { readExpression } from './expression.ts';
import { hintAt } from './hints.ts';
import { attempt, close, readItems, skip } from './list.ts';
import { readAlias, readSourceItem } from './source.ts';
import type { Token } from './token.ts';
import type { Block, Expression, ReturnItem, SourceItem } from './tree.ts';

const clauseOrder = ['source', 'filter', 'return'] as const;
type Clause = (typeof clauseOrder)[number];

/** Clauses parsed so far. */
interface Clauses {
  sources?: readonly SourceItem[];
  filter?: Expression | undefined;
  distinct?: boolean;
  items?: readonly ReturnItem[];
}

/** `{ source { … } filter { … } return { … } }` */
export function readBlock(cursor: Cursor): Block {
  const open = cursor.expectSymbol('{');
  const clauses = readClauses(cursor);
  close(cursor, open);
  return blockOf(clauses, { start: open.start, end: cursor.end });
}

function blockOf({ sources = [], filter, distinct = false, items = [] }: Clauses, span: Span): Block {
  return { kind: 'block', sources, filter, distinct, items, start: span.start, end: span.end };
}

function readClauses(cursor: Cursor): Clauses {
  const clauses: Clauses = {};
  let lastRank = -1;
  let hasForeignClause = false;
  for (;;) {
    const clause = clauseOrder.find((keyword) => cursor.isWord(keyword));
    if (clause) {
      const rank = clauseOrder.indexOf(clause);
      if (rank === lastRank) cursor.error(cursor.token, `There is only one \`${clause}\` in a query.`);
      else if (rank < lastRank) cursor.error(cursor.token, 'The order is `source`, `filter`, `return`.');
      lastRank = Math.max(rank, lastRank);
      readClause(cursor, clause, clauses);
    } else if (skipForeignClause(cursor)) hasForeignClause = true;
    else if (clauses.items || !skipEarlyBrace(cursor)) break;
  }
  if (!hasForeignClause) reportMissingClause(cursor, clauses);
  return clauses;
}

function reportMissingClause(cursor: Cursor, { sources, items }: Clauses): void {
  const actual = `but found ${cursor.describeToken()}`;
  if (!sources) cursor.missing(`A query begins with \`source { … }\`, ${actual}.`);
  else if (!items) cursor.missing(`A query ends with \`return { … }\`, which names its columns, ${actual}.`);
}

/** A brace that closes the block before its last clause. */
function skipEarlyBrace(cursor: Cursor): boolean {
  if (!cursor.isSymbol('}') || !cursor.clauseAt(1)) return false;
  const { start, end } = cursor.take();
  cursor.error({ start, end }, 'This closes the query too early: remove it.', { start, end, text: '' });
  return true;
}

/** Reports clauses of other languages and continues at the next clause. */
function skipForeignClause(cursor: Cursor): boolean {
  const hint = hintAt(cursor.token);
  if (!hint) return false;
  cursor.missing(hint);
  do {
    cursor.take();
    skip(cursor);
  } while (cursor.isSymbol(',') || cursor.isSymbol(')'));
  return true;
}

function readClause(cursor: Cursor, clause: Clause, clauses: Clauses): void {
  const word = cursor.take();
  if (clause === 'source') {
    clauses.sources = readBraced(cursor, word, () =>
      readItems(cursor, '}', 'source', () => readSourceItem(cursor)),
    );
  } else if (clause === 'filter') {
    const expected = '`and`, `or` or `}`';
    clauses.filter = readBraced(cursor, word, () => attempt(cursor, () => readExpression(cursor)), expected);
  } else {
    clauses.distinct = cursor.takeWord('distinct') !== undefined;
    clauses.items = readBraced(cursor, word, () =>
      readItems(cursor, '}', 'column', () => readReturnItem(cursor, clauses.sources)),
    );
  }
}

/** A clause without braces is parsed up to the next one. */
function readBraced<T>(cursor: Cursor, word: Token, read: () => T, expected?: string): T {
  const open = cursor.takeSymbol('{');
  const { start } = cursor.token;
  cursor.unbraced = !open;
  const result = read();
  cursor.unbraced = false;
  if (open) close(cursor, open, expected);
  else if (cursor.end > start) {
    const text = `{ ${cursor.text.slice(start, cursor.end)} }`;
    const message = `\`${word.text}\` needs braces: \`${word.text} { … }\`.`;
    cursor.error(word, message, { start, end: cursor.end, text });
  }
  return result;
}

function readReturnItem(cursor: Cursor, sources: readonly SourceItem[] | undefined): ReturnItem {
  if (cursor.isSymbol('*')) rejectStar(cursor, sources);
  const [name, dot, star] = [cursor.token, cursor.peek(1), cursor.peek(2)];
  const isAll = dot.kind === 'symbol' && dot.text === '.' && star.kind === 'symbol' && star.text === '*';
  if (name.kind === 'word' && isAll) {
    const of = cursor.name('a source');
    cursor.take();
    cursor.take();
    return { kind: 'all', of, start: of.start, end: cursor.end };
  }
  const value = readExpression(cursor);
  const alias = readAlias(cursor);
  return { kind: 'value', value, alias, start: value.start, end: cursor.end };
}

function rejectStar(cursor: Cursor, sources: readonly SourceItem[] | undefined): never {
  const { start, end } = cursor.token;
  const first = sources?.[0];
  const name = first?.kind === 'connected' ? (first.alias ?? first.datasource).text : undefined;
  return cursor.fail(
    `\`*\` needs a source: write \`${name ?? 'name'}.*\`.`,
    name ? { start, end, text: `${name}.*` } : undefined,
  );
}
