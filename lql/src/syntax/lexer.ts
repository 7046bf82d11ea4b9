import type { Fix, Problem } from '../text/problem.ts';
import { keywordOf } from './keywords.ts';
import { readString } from './strings.ts';
import type { Token, TokenKind } from './token.ts';
import type { StringForm } from './tree.ts';

export interface LexResult {
  /** Ends with an `end` token. */
  readonly tokens: readonly Token[];
  readonly problems: readonly Problem[];
}

const symbols = new Set([
  ...['<>', '!=', '<=', '>=', '::', '||'],
  ...['=', '<', '>', '+', '-', '*', '/', '%', ':', '.', ',', '(', ')', '{', '}', '[', ']', ';'],
]);

/** Operators of other languages, replaced so that parsing can continue. */
const foreignOperators = new Map<string, { kind: TokenKind; text: string }>([
  ['==', { kind: 'symbol', text: '=' }],
  ['&&', { kind: 'word', text: 'and' }],
  ['!', { kind: 'word', text: 'not' }],
]);

const isLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isDigit = (code: number) => code >= 48 && code <= 57;
const isWordCharacter = (code: number) => isLetter(code) || isDigit(code) || code === 95;

/** Splits a query into tokens, without comments and white space. */
export function lex(text: string): LexResult {
  const lexer = new Lexer(text);
  lexer.run();
  return { tokens: lexer.tokens, problems: lexer.problems };
}

class Lexer {
  readonly tokens: Token[] = [];
  readonly problems: Problem[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    while (this.skipBlanks()) this.read();
    this.push('end', this.text.length, '');
  }

  private push(kind: TokenKind, end: number, text: string, form?: StringForm): void {
    const keyword = kind === 'word' ? keywordOf(text) : undefined;
    this.tokens.push({ kind, text, keyword, form, start: this.at, end });
    this.at = end;
  }

  private report(start: number, end: number, message: string, fix?: Fix): void {
    this.problems.push({
      severity: 'error',
      stage: 'lexical',
      message,
      start,
      end,
      ...(fix && { fix }),
    });
  }

  /** Advances to the next token; false at the end. */
  private skipBlanks(): boolean {
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      const next = text.charCodeAt(this.at + 1);
      if (code <= 32 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029) this.at++;
      else if ((code === 45 && next === 45) || (code === 47 && next === 47)) this.skipLine();
      else if (code === 47 && next === 42) this.skipComment();
      else return true;
    }
    return false;
  }

  private skipLine(): void {
    const ends = (code: number) => code === 10 || code === 13;
    while (this.at < this.text.length && !ends(this.text.charCodeAt(this.at))) this.at++;
  }

  private skipComment(): void {
    const close = this.text.indexOf('*/', this.at + 2);
    if (close < 0) {
      this.report(this.at, this.at + 2, 'This comment is not closed: it needs a */ at its end.');
      this.push('bad', this.text.length, '');
    } else this.at = close + 2;
  }

  private read(): void {
    const code = this.text.charCodeAt(this.at);
    if (isLetter(code) || code === 95) this.readWord();
    else if (isDigit(code)) this.readNumber();
    else if (code === 39) this.readString(this.at, 'legacy');
    else if (code === 34) this.readString(this.at, 'escaped');
    else if (this.text.startsWith('${', this.at) || this.text.startsWith('<<', this.at))
      this.rejectPlaceholder();
    else this.readSymbol();
  }

  private readWord(): void {
    let end = this.at + 1;
    while (isWordCharacter(this.text.charCodeAt(end))) end++;
    const word = this.text.slice(this.at, end);
    if (word.toLowerCase() === 's' && this.text[end] === "'") this.readString(end, 'plain');
    else this.push('word', end, word);
  }

  private readNumber(): void {
    const digitsFrom = (start: number) => {
      let end = start;
      while (isDigit(this.text.charCodeAt(end))) end++;
      return end;
    };
    let end = digitsFrom(this.at);
    if (this.text[end] === '.' && isDigit(this.text.charCodeAt(end + 1))) end = digitsFrom(end + 1);
    if (isWordCharacter(this.text.charCodeAt(end))) {
      while (isWordCharacter(this.text.charCodeAt(end))) end++;
      const lexeme = this.text.slice(this.at, end);
      this.report(
        this.at,
        end,
        `\`${lexeme}\` is neither a number nor a name: a number has only digits and a point.`,
      );
      this.push('bad', end, '');
    } else this.push('number', end, this.text.slice(this.at, end));
  }

  private readString(open: number, form: StringForm): void {
    const { value, end, closed, suspectEscapes } = readString(this.text, open, form);
    const quote = form === 'escaped' ? '"' : "'";
    const start = this.at;
    if (!closed) {
      this.report(start, open + 1, `This string is not closed: it needs a ${quote} at its end.`);
      this.push('bad', end, '');
      return;
    }
    this.push('string', end, value, form);
    if (value.includes('\0')) this.report(start, end, 'A string can not contain the character NUL.');
    if (form === 'escaped') this.rejectEscapes(suspectEscapes);
    if (form === 'legacy' && suspectEscapes.length > 0)
      this.warnEscape(start, end, suspectEscapes[0] as number);
  }

  private rejectEscapes(suspectEscapes: readonly number[]): void {
    for (const at of suspectEscapes) {
      const lexeme = this.text.slice(at, at + 2);
      this.report(
        at,
        at + 2,
        `${lexeme} means nothing in double quotes, where the escapes are \\" \\\\ \\b \\f \\n \\r \\t and \\uHHHH: write \\${lexeme} for a backslash, or use s'…', which has no escapes.`,
        { start: at, end: at + 1, text: '\\\\' },
      );
    }
  }

  private warnEscape(start: number, end: number, at: number): void {
    const raw = this.text.slice(start + 1, end - 1).replaceAll("\\'", "''");
    this.problems.push({
      severity: 'warning',
      stage: 'lexical',
      message:
        "In single quotes a backslash starts an escape and may be dropped: write s'…', which has no escapes.",
      start: at,
      end: at + 2,
      fix: { start, end, text: `s'${raw}'` },
    });
  }

  private readSymbol(): void {
    const two = this.text.slice(this.at, this.at + 2);
    const one = two.slice(0, 1);
    const replacement = foreignOperators.get(two) ?? (two === '!=' ? undefined : foreignOperators.get(one));
    if (replacement) {
      const end = this.at + (foreignOperators.has(two) ? two.length : 1);
      const lexeme = this.text.slice(this.at, end);
      const fix = {
        start: this.at,
        end,
        text: replacement.kind === 'word' ? `${replacement.text} ` : replacement.text,
      };
      this.report(
        this.at,
        end,
        `\`${lexeme}\` is not an operator of LQL: write \`${replacement.text}\`.`,
        fix,
      );
      this.push(replacement.kind, end, replacement.text);
    } else if (symbols.has(two)) this.push('symbol', this.at + two.length, two);
    else if (symbols.has(one)) this.push('symbol', this.at + 1, one);
    else this.rejectCharacter();
  }

  private rejectPlaceholder(): void {
    const [lexeme] = /^(?:<<[^>\n]*>>|\$\{[^}\n]*\}|..)/.exec(this.text.slice(this.at, this.at + 100)) ?? [
      '',
    ];
    const end = this.at + lexeme.length;
    this.report(this.at, end, 'This is a placeholder of a template: fill it in first.');
    this.push('bad', end, '');
  }

  private rejectCharacter(): void {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) as number);
    const end = this.at + character.length;
    const straight = /[‘’‚′]/.test(character) ? "'" : /[“”„″]/.test(character) ? '"' : undefined;
    if (straight) {
      const fix = { start: this.at, end, text: straight };
      this.report(this.at, end, `${character} is a typographic quote: write ${straight}.`, fix);
    } else this.report(this.at, end, `The character ${character} has no meaning here.`);
    this.push('bad', end, '');
  }
}
