import type { Problem } from '../text/problem.ts';
import { readBlock } from './block.ts';
import { Cursor, FatalError, maxProblems, RecoverableError } from './cursor.ts';
import { rejectDepth } from './depth.ts';
import { firstDialect, hintAt, isFirstDialect } from './hints.ts';
import { type LexResult, lex } from './lexer.ts';
import { readList } from './list.ts';
import { rejectMisplaced } from './misplaced.ts';
import type { Block, Document, Name, Union } from './tree.ts';

export interface ParseResult {
  /** Undefined if incomplete. May be set despite errors with an unambiguous fix. */
  readonly document: Document | undefined;
  /** Sorted by position. */
  readonly problems: readonly Problem[];
}

/** In characters. */
export const maxQueryLength = 72_000;

/** Never throws; reports as many problems as possible. */
export function parse(text: string): ParseResult {
  if (text.length > maxQueryLength && [...text].length > maxQueryLength) {
    const message = `A query has at most ${maxQueryLength} characters.`;
    const span = { start: maxQueryLength, end: text.length };
    return { document: undefined, problems: [{ severity: 'error', stage: 'syntax', message, ...span }] };
  }
  return parseTokens(text, lex(text));
}

export function parseTokens(text: string, { tokens, problems }: LexResult): ParseResult {
  const cursor = new Cursor(text, tokens);
  const document = readOrRecover(cursor, isFirstDialect(tokens));
  if (document && cursor.isComplete) rejectDepth(cursor, document);
  if (document && cursor.isComplete) rejectMisplaced(cursor, document.body);
  return {
    document: cursor.isComplete ? document : undefined,
    problems: firstProblems([...problems, ...cursor.problems]),
  };
}

/** The first problems; warnings do not displace errors. */
function firstProblems(problems: Problem[]): Problem[] {
  const remaining = { error: maxProblems, warning: maxProblems };
  return problems
    .sort((left, right) => left.start - right.start)
    .filter(({ severity }) => remaining[severity]-- > 0);
}

function readOrRecover(cursor: Cursor, isUnsupportedDialect: boolean): Document | undefined {
  try {
    if (isUnsupportedDialect) cursor.fail(firstDialect);
    return readDocument(cursor);
  } catch (error) {
    if (error instanceof RecoverableError || error instanceof FatalError) return undefined;
    throw error;
  }
}

function readDocument(cursor: Cursor): Document {
  const id = readId(cursor);
  const body = cursor.isWord('union') ? readUnion(cursor) : readBlock(cursor);
  rejectTrailingTokens(cursor);
  return { id, body, start: (id ?? body).start, end: body.end };
}

const queryForm = '`{ source { … } filter { … } return { … } }`';

function readId(cursor: Cursor): Name | undefined {
  if (cursor.isSymbol('{') || cursor.isWord('union')) return undefined;
  const { kind, text, start, end } = cursor.token;
  if (kind === 'end') cursor.fail(`There is no query: it is written ${queryForm}.`);
  const hint = hintAt(cursor.token);
  if (hint) cursor.fail(hint);
  if (cursor.clauseFollows && cursor.peek(2).keyword !== 'source') {
    const fix = {
      start,
      end: cursor.endOfTokens,
      text: `{ ${cursor.text.slice(start, cursor.endOfTokens)} }`,
    };
    cursor.fail(`Braces enclose all clauses of a query: ${queryForm}.`, fix);
  }
  const [brace, union] = [cursor.peek(1), cursor.peek(1).keyword === 'union'];
  if (kind !== 'word' || !(union || (brace.kind === 'symbol' && brace.text === '{'))) {
    cursor.fail(`A query is written ${queryForm}, but this begins with ${cursor.describeToken()}.`);
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
    cursor.fail('Each query of a union needs its own braces: `union { { … }, { … } }`.', {
      start: at,
      end: at,
      text: '{ ',
    });
  }
  const blocks: Block[] = readList(cursor, open, 'query', () => readBlock(cursor));
  return { kind: 'union', all, blocks, start, end: cursor.end };
}

function rejectTrailingTokens(cursor: Cursor): void {
  const { token } = cursor;
  if (token.kind === 'end') return;
  const removal = { start: token.start, end: token.end, text: '' };
  if (cursor.takeSymbol(';')) cursor.error(token, 'A query ends without a semicolon.', removal);
  else if (cursor.isSymbol('}')) cursor.missing('There is no `{` for this `}`.', removal);
  else if (cursor.isSymbol(',') || cursor.isSymbol('{')) {
    cursor.missing('Several queries need a union: `union { { … }, { … } }`.');
  } else
    cursor.missing(hintAt(token) ?? `Expected the end of the query, but found ${cursor.describeToken()}.`);
}
