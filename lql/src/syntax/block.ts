import type { Span } from '../text/span.ts';
import type { Cursor } from './cursor.ts';
import { readExpression } from './expression.ts';
import { hintAt } from './hints.ts';
import { readAlias, readSourceItem } from './source.ts';
import type { Token } from './token.ts';
import type { Block, Expression, ReturnItem, SourceItem } from './tree.ts';

const order = ['source', 'filter', 'return'] as const;
type Clause = (typeof order)[number];

/** What the clauses of a block say, as far as they were read. */
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
  cursor.close(open, '}');
  return finish(clauses, { start: open.start, end: cursor.end });
}

function finish({ sources = [], filter, distinct = false, items = [] }: Clauses, span: Span): Block {
  return { kind: 'block', sources, filter, distinct, items, start: span.start, end: span.end };
}

function readClauses(cursor: Cursor): Clauses {
  const clauses: Clauses = {};
  let last = -1;
  for (;;) {
    const clause = order.find((keyword) => cursor.isWord(keyword));
    if (!clause) {
      if (!skipForeign(cursor)) break;
      continue;
    }
    const rank = order.indexOf(clause);
    if (rank === last) cursor.complain(cursor.token, `There is only one \`${clause}\` in a query.`);
    else if (rank < last) cursor.complain(cursor.token, 'The order is `source`, `filter`, `return`.');
    last = Math.max(rank, last);
    readClause(cursor, clause, clauses);
  }
  if (!clauses.sources) cursor.miss(missing(cursor, 'A query begins with `source { … }`'));
  else if (!clauses.items)
    cursor.miss(missing(cursor, 'A query ends with `return { … }`, which names its columns'));
  return clauses;
}

const missing = (cursor: Cursor, sentence: string) => `${sentence}, but found ${cursor.found()}.`;

/** Names what other languages have and this one has not, and goes on at the next clause. */
function skipForeign(cursor: Cursor): boolean {
  const hint = hintAt(cursor.token);
  if (!hint) return false;
  cursor.miss(hint);
  do {
    cursor.take();
    cursor.skip();
  } while (cursor.isSymbol(',') || cursor.isSymbol(')'));
  return true;
}

function readClause(cursor: Cursor, clause: Clause, clauses: Clauses): void {
  const word = cursor.take();
  if (clause === 'source') {
    clauses.sources = readList(cursor, word, 'source', () => readSourceItem(cursor));
  } else if (clause === 'filter') {
    const open = openBrace(cursor, word);
    clauses.filter = cursor.attempt(() => readExpression(cursor));
    if (open) cursor.close(open, '}');
  } else {
    clauses.distinct = cursor.takeWord('distinct') !== undefined;
    clauses.items = readList(cursor, word, 'column', () => readReturnItem(cursor, clauses.sources));
  }
}

function readList<T>(cursor: Cursor, word: Token, what: string, read: () => T): T[] {
  const open = openBrace(cursor, word);
  return open ? cursor.list(open, '}', what, read) : cursor.items('}', what, read);
}

/** Without it the clause is read all the same, up to the next one. */
function openBrace(cursor: Cursor, word: Token): Token | undefined {
  const open = cursor.takeSymbol('{');
  if (!open) cursor.miss(`What \`${word.text}\` says stands in braces: \`${word.text} { … }\`.`);
  return open;
}

function readReturnItem(cursor: Cursor, sources: readonly SourceItem[] | undefined): ReturnItem {
  if (cursor.isSymbol('*')) refuseStar(cursor, sources);
  const [name, dot, star] = [cursor.token, cursor.ahead(1), cursor.ahead(2)];
  const isAll = dot.kind === 'symbol' && dot.text === '.' && star.kind === 'symbol' && star.text === '*';
  if (name.kind === 'word' && isAll) {
    const of = cursor.name('a source');
    cursor.take();
    cursor.take();
    return { kind: 'all', of, start: of.start, end: cursor.end };
  }
  const value = readExpression(cursor);
  const alias = readAlias(cursor, 'an alias');
  return { kind: 'value', value, alias, start: value.start, end: cursor.end };
}

function refuseStar(cursor: Cursor, sources: readonly SourceItem[] | undefined): never {
  const { start, end } = cursor.token;
  const first = sources?.[0];
  const name = first?.kind === 'connected' ? (first.alias ?? first.datasource).text : undefined;
  return cursor.fail(
    `\`*\` needs to know whose columns: write \`${name ?? 'name'}.*\`.`,
    name ? { start, end, text: `${name}.*` } : undefined,
  );
}
