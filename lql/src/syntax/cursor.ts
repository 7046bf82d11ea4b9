import type { Fix, Problem } from '../text/problem.ts';
import type { Span } from '../text/span.ts';
import { isIdentifier, isReserved, type Keyword } from './keywords.ts';
import type { Token } from './token.ts';
import type { Name } from './tree.ts';

/** Nesting limit of expressions, subqueries and joins, far below the stack limit. */
export const maxDepth = 200;

export const maxProblems = 20;

/** Unwinds to the list or clause where parsing can resume. */
export class RecoverableError extends Error {}

/** Aborts parsing. */
export class FatalError extends Error {}

const recoverable = new RecoverableError();
const fatal = new FatalError();

/** Position of the parser in the tokens, and the problems reported so far. */
export class Cursor {
  readonly text: string;
  readonly problems: Problem[] = [];
  /** False once a node of the tree is missing. */
  isComplete = true;
  /** The current clause has no braces: only the keyword of the next one ends it. */
  unbraced = false;
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;
  private errors = 0;
  /** Token of the last error; a second error there would be a consequence. */
  private lastErrorAt = -1;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.position] as Token;
  }

  peek(count: number): Token {
    return this.tokens[Math.min(this.position + count, this.tokens.length - 1)] as Token;
  }

  /** End of the last consumed token. */
  get end(): number {
    return this.position === 0 ? 0 : (this.tokens[this.position - 1] as Token).end;
  }

  /** End of the last token. */
  get endOfTokens(): number {
    return this.tokens.at(-2)?.end ?? 0;
  }

  take(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.position++;
    return token;
  }

  isSymbol(text: string): boolean {
    return this.token.kind === 'symbol' && this.token.text === text;
  }

  isWord(keyword: Keyword): boolean {
    return this.token.keyword === keyword;
  }

  takeSymbol(text: string): Token | undefined {
    return this.isSymbol(text) ? this.take() : undefined;
  }

  takeWord(keyword: Keyword): Token | undefined {
    return this.isWord(keyword) ? this.take() : undefined;
  }

  /** `source {`, `filter {`, `return {` or `return distinct {` follows, so open brackets are unclosed. */
  get clauseFollows(): boolean {
    return this.clauseAt(0);
  }

  clauseAt(offset: number): boolean {
    const { keyword } = this.peek(offset);
    if (keyword !== 'source' && keyword !== 'filter' && keyword !== 'return') return false;
    const next = this.peek(offset + 1);
    const opens = (token: Token) => token.kind === 'symbol' && token.text === '{';
    if (this.unbraced || opens(next)) return true;
    return keyword === 'return' && next.keyword === 'distinct' && opens(this.peek(offset + 2));
  }

  /** Reports an error that leaves the tree complete. */
  error(span: Span, message: string, fix?: Fix): void {
    this.report('error', span, message, fix);
  }

  warn(span: Span, message: string, fix?: Fix): void {
    this.report('warning', span, message, fix);
  }

  /** Reports a missing node; parsing continues. */
  missing(message: string, fix?: Fix, span: Span = this.token): void {
    this.isComplete = false;
    if (!this.isReported && this.lastErrorAt !== this.position) this.report('error', span, message, fix);
    this.lastErrorAt = this.position;
  }

  /** The lexer reported this token already. */
  private get isReported(): boolean {
    const { kind } = this.token;
    return kind === 'bad' || (kind === 'end' && this.tokens[this.position - 1]?.kind === 'bad');
  }

  /** Reports a missing node and unwinds. */
  fail(message: string, fix?: Fix, span?: Span): never {
    this.missing(message, fix, span);
    throw recoverable;
  }

  /** Reports a misplaced node and unwinds. */
  reject(span: Span, message: string, fix?: Fix): never {
    this.fail(message, fix, span);
  }

  /** Unwinds after a reported error. */
  unwind(): never {
    this.isComplete = false;
    throw recoverable;
  }

  failExpected(expected: string): never {
    this.fail(`Expected ${expected}, but found ${this.describeToken()}.`);
  }

  describeToken(): string {
    const { token } = this;
    if (token.kind === 'end') return 'the end';
    return token.kind === 'string' ? 'a string in quotes' : `\`${token.text}\``;
  }

  expectSymbol(text: string): Token {
    return this.takeSymbol(text) ?? this.failExpected(`\`${text}\``);
  }

  /** Consumes a name; `role` describes it in messages. */
  name(role: string): Name {
    const { token } = this;
    if (token.kind === 'string') {
      const fix = isIdentifier(token.text)
        ? { start: token.start, end: token.end, text: token.text }
        : undefined;
      this.fail(`Expected ${role}, which is written without quotes.`, fix);
    }
    if (token.kind !== 'word' || this.clauseFollows) this.failExpected(role);
    this.take();
    if (isReserved(token.text))
      this.error(token, `\`${token.text}\` is a reserved word and can not be ${role}.`);
    else if (!isIdentifier(token.text))
      this.error(token, `A name begins with a letter: \`${token.text}\` does not.`);
    return { text: token.text, start: token.start, end: token.end };
  }

  /** Limits recursion. */
  nested<T>(read: () => T, levels = 1): T {
    if (this.depth + levels > maxDepth) {
      this.missing(
        `This is nested more than ${maxDepth} levels deep, where each call counts as four. Split it.`,
      );
      throw fatal;
    }
    this.depth += levels;
    try {
      return read();
    } finally {
      this.depth -= levels;
    }
  }

  /** Further errors are not reported. */
  get hasMaxErrors(): boolean {
    return this.errors >= maxProblems;
  }

  private report(severity: Problem['severity'], { start, end }: Span, message: string, fix?: Fix): void {
    if (severity === 'error') this.errors++;
    this.problems.push({ severity, stage: 'syntax', message, start, end, ...(fix && { fix }) });
  }
}
