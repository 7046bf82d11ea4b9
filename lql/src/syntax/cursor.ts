import type { Fix, Problem } from '../text/problem.ts';
import type { Span } from '../text/span.ts';
import { isIdentifier, isReserved, type Keyword } from './keywords.ts';
import type { Token } from './token.ts';
import type { Name } from './tree.ts';

/** How deep expressions, sub-queries and connections may be nested: far below what a stack holds. */
export const deepest = 200;

/** More than these are seldom read. */
export const mostProblems = 20;

/** Leaves what is being read, up to the list or clause that can go on behind it. */
export class Stop extends Error {}

/** Leaves the whole text. */
export class Abandon extends Error {}

const stop = new Stop();
const abandon = new Abandon();

/** The place of the parser in the tokens, and what it has to say about them. */
export class Cursor {
  readonly text: string;
  readonly problems: Problem[] = [];
  /** False once a part of the tree is missing. */
  whole = true;
  /** A clause without braces is being read, which only the word of the next one ends. */
  unbraced = false;
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;
  private errors = 0;
  /** The token that the last error was about: a second one there would only follow from the first. */
  private complained = -1;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.at] as Token;
  }

  ahead(count: number): Token {
    return this.tokens[Math.min(this.at + count, this.tokens.length - 1)] as Token;
  }

  /** Where the last token that was taken ends. */
  get end(): number {
    return this.at === 0 ? 0 : (this.tokens[this.at - 1] as Token).end;
  }

  /** Where the last token of the text ends. */
  get last(): number {
    return this.tokens.at(-2)?.end ?? 0;
  }

  take(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.at++;
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

  /** `source {`, `filter {`, `return {` or `return distinct {` follows: whatever is open should have been closed. */
  get clauseFollows(): boolean {
    return this.clauseAt(0);
  }

  clauseAt(offset: number): boolean {
    const { keyword } = this.ahead(offset);
    if (keyword !== 'source' && keyword !== 'filter' && keyword !== 'return') return false;
    const next = this.ahead(offset + 1);
    const opens = (token: Token) => token.kind === 'symbol' && token.text === '{';
    if (this.unbraced || opens(next)) return true;
    return keyword === 'return' && next.keyword === 'distinct' && opens(this.ahead(offset + 2));
  }

  /** Says something that leaves the tree whole. */
  complain(span: Span, message: string, fix?: Fix): void {
    this.say('error', span, message, fix);
  }

  warn(span: Span, message: string, fix?: Fix): void {
    this.say('warning', span, message, fix);
  }

  /** Says that a part of the tree is missing, and that reading goes on all the same. */
  miss(message: string, fix?: Fix, span: Span = this.token): void {
    this.whole = false;
    if (!this.reported && this.complained !== this.at) this.say('error', span, message, fix);
    this.complained = this.at;
  }

  /** What stands here was refused already, or swallowed what should. */
  private get reported(): boolean {
    const { kind } = this.token;
    return kind === 'bad' || (kind === 'end' && this.tokens[this.at - 1]?.kind === 'bad');
  }

  /** The same, and nothing more can be read here. */
  fail(message: string, fix?: Fix, span?: Span): never {
    this.miss(message, fix, span);
    throw stop;
  }

  /** Says that something that was read does not belong here. */
  refuse(span: Span, message: string, fix?: Fix): never {
    this.fail(message, fix, span);
  }

  /** Nothing more can be read here, and that was said. */
  leave(): never {
    this.whole = false;
    throw stop;
  }

  failExpected(what: string): never {
    this.fail(`Expected ${what}, but found ${this.found()}.`);
  }

  found(): string {
    const { token } = this;
    if (token.kind === 'end') return 'the end';
    return token.kind === 'string' ? 'a text in quotes' : `\`${token.text}\``;
  }

  expectSymbol(text: string): Token {
    return this.takeSymbol(text) ?? this.failExpected(`\`${text}\``);
  }

  /** Takes a word as a name. `what` is the name of: an alias, a column. */
  name(what: string): Name {
    const { token } = this;
    if (token.kind === 'string') {
      const fix = isIdentifier(token.text)
        ? { start: token.start, end: token.end, text: token.text }
        : undefined;
      this.fail(`Expected ${what}, which is written without quotes.`, fix);
    }
    if (token.kind !== 'word' || this.clauseFollows) this.failExpected(what);
    this.take();
    if (isReserved(token.text))
      this.complain(token, `\`${token.text}\` is a reserved word and can not be ${what}.`);
    else if (!isIdentifier(token.text))
      this.complain(token, `A name begins with a letter: \`${token.text}\` does not.`);
    return { text: token.text, start: token.start, end: token.end };
  }

  /** Guards a recursion. */
  nested<T>(read: () => T, levels = 1): T {
    if (this.depth + levels > deepest) {
      this.miss(`This is nested more than ${deepest} levels deep, of which calls take four. Take it apart.`);
      throw abandon;
    }
    this.depth += levels;
    try {
      return read();
    } finally {
      this.depth -= levels;
    }
  }

  /** What more there is to say will not be told. */
  get full(): boolean {
    return this.errors >= mostProblems;
  }

  private say(severity: Problem['severity'], { start, end }: Span, message: string, fix?: Fix): void {
    if (severity === 'error') this.errors++;
    this.problems.push({ severity, stage: 'syntax', message, start, end, ...(fix && { fix }) });
  }
}
