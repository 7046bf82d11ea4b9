import type { Problem } from '../text/problem.ts';
import { readBlock } from './block.ts';
import { Abandon, Cursor, mostProblems, Stop } from './cursor.ts';
import { refuseDepth } from './depth.ts';
import { firstDialect, hintAt, isFirstDialect } from './hints.ts';
import { type Lexed, lex } from './lexer.ts';
import { readList } from './list.ts';
import { refuseMisplaced } from './misplaced.ts';
import type { Block, Document, Name, Union } from './tree.ts';

export interface Parsed {
  /** Only when it is whole. There may be errors all the same, of the kind that leave no doubt about what is meant. */
  readonly document: Document | undefined;
  /** In the order of the text. */
  readonly problems: readonly Problem[];
}

/** In characters. */
export const longestQuery = 72_000;

/** Reads a query. Never throws; says as much as can be said of what is wrong. */
export function parse(text: string): Parsed {
  if (text.length > longestQuery && [...text].length > longestQuery) {
    const message = `A query has at most ${longestQuery} characters.`;
    const span = { start: longestQuery, end: text.length };
    return { document: undefined, problems: [{ severity: 'error', stage: 'syntax', message, ...span }] };
  }
  return parseTokens(text, lex(text));
}

export function parseTokens(text: string, { tokens, problems }: Lexed): Parsed {
  const cursor = new Cursor(text, tokens);
  const document = readWhole(cursor, isFirstDialect(tokens));
  if (document && cursor.whole) refuseDepth(cursor, document);
  if (document && cursor.whole) refuseMisplaced(cursor, document.body);
  return {
    document: cursor.whole ? document : undefined,
    problems: worthTelling([...problems, ...cursor.problems]),
  };
}

/** The first ones, and no error less for the warnings. */
function worthTelling(problems: Problem[]): Problem[] {
  const room = { error: mostProblems, warning: mostProblems };
  return problems
    .sort((left, right) => left.start - right.start)
    .filter(({ severity }) => room[severity]-- > 0);
}

function readWhole(cursor: Cursor, old: boolean): Document | undefined {
  try {
    if (old) cursor.fail(firstDialect);
    return readDocument(cursor);
  } catch (error) {
    if (error instanceof Stop || error instanceof Abandon) return undefined;
    throw error;
  }
}

function readDocument(cursor: Cursor): Document {
  const id = readId(cursor);
  const body = cursor.isWord('union') ? readUnion(cursor) : readBlock(cursor);
  refuseRest(cursor);
  return { id, body, start: (id ?? body).start, end: body.end };
}

const form = '`{ source { … } filter { … } return { … } }`';

function readId(cursor: Cursor): Name | undefined {
  if (cursor.isSymbol('{') || cursor.isWord('union')) return undefined;
  const { kind, text, start, end } = cursor.token;
  if (kind === 'end') cursor.fail(`There is no query: it is written ${form}.`);
  const hint = hintAt(cursor.token);
  if (hint) cursor.fail(hint);
  if (cursor.clauseFollows && cursor.ahead(2).keyword !== 'source') {
    const all = { start, end: cursor.last, text: `{ ${cursor.text.slice(start, cursor.last)} }` };
    cursor.fail(`Braces stand around all clauses of a query: ${form}.`, all);
  }
  const [brace, union] = [cursor.ahead(1), cursor.ahead(1).keyword === 'union'];
  if (kind !== 'word' || !(union || (brace.kind === 'symbol' && brace.text === '{'))) {
    cursor.fail(`A query is written ${form}, but this begins with ${cursor.found()}.`);
  }
  cursor.take();
  return { text, start, end };
}

function readUnion(cursor: Cursor): Union {
  const { start } = cursor.take();
  const all = cursor.takeWord('all') !== undefined;
  const open = cursor.expectSymbol('{');
  if (cursor.clauseFollows) {
    const at = cursor.token.start;
    cursor.fail('Each query of a union stands in braces of its own: `union { { … }, { … } }`.', {
      start: at,
      end: at,
      text: '{ ',
    });
  }
  const blocks: Block[] = readList(cursor, open, 'query', () => readBlock(cursor));
  return { kind: 'union', all, blocks, start, end: cursor.end };
}

function refuseRest(cursor: Cursor): void {
  const { token } = cursor;
  if (token.kind === 'end') return;
  const out = { start: token.start, end: token.end, text: '' };
  if (cursor.takeSymbol(';')) cursor.complain(token, 'A query ends without a semicolon.', out);
  else if (cursor.isSymbol('}')) cursor.miss('There is no `{` for this `}`.', out);
  else if (cursor.isSymbol(',') || cursor.isSymbol('{')) {
    cursor.miss('Several queries have to stand in a union: `union { { … }, { … } }`.');
  } else cursor.miss(hintAt(token) ?? `Expected the end of the query, but found ${cursor.found()}.`);
}
