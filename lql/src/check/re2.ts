import type { Span } from '../text/span.ts';

/** Unsupported part of a regular expression. */
export interface UnsupportedSyntax extends Span {
  readonly message: string;
}

class PatternError extends Error {
  readonly unsupported: UnsupportedSyntax;

  constructor(start: number, end: number, message: string) {
    super(message);
    this.unsupported = { start, end, message };
  }
}

/** The first part of a pattern that RE2 rejects, if any. */
export function unsupportedSyntax(pattern: string): UnsupportedSyntax | undefined {
  try {
    new PatternReader(pattern).read();
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.unsupported;
    throw error;
  }
}

const maxRepetitions = 1000;
const lookAround = 'Patterns have no lookahead or lookbehind. Use several conditions with and, not.';
const backReference = 'Patterns have no backreferences.';

/** Group types of other engines. */
const unsupportedGroups: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, lookAround],
  [/^\(\?P=/, backReference],
  [/^\(\?>/, 'Patterns have no atomic groups: write (?: instead.'],
  [/^\(\?\(/, 'Patterns have no conditions.'],
  [/^\(\?#/, 'Patterns have no comments.'],
];

const posixClasses = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);

const setEscape = /^\\[dDsSwWpP]/;

/** Code points of named escapes. */
const namedEscapes = new Map(
  [...'afnrtv'].map((letter, index) => [letter, [7, 12, 10, 13, 9, 11][index] as number]),
);

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  /** Start and highest repetition count of each open group. */
  readonly #groups: { start: number; repetitions: number }[] = [];
  /** Nested repetition count of the last element; undefined if there is nothing to repeat. */
  #last: number | undefined;
  #wasRepeated = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): void {
    while (this.#at < this.#pattern.length) this.#readOne();
    const open = this.#groups.pop();
    if (open)
      throw new PatternError(open.start, open.start + 1, 'This group is not closed: write ) at its end.');
  }

  #readOne(): void {
    const character = this.#pattern[this.#at] as string;
    const counted = character === '{' && this.#match(/^\{(\d+)(?:,(\d*))?\}/);
    const wasRepeated = this.#wasRepeated;
    this.#wasRepeated = character === '*' || character === '+' || character === '?' || Boolean(counted);
    if (counted) this.#repeatCounted(counted, wasRepeated);
    else if (this.#wasRepeated) this.#repeat(1, 1, wasRepeated);
    else if (character === '(') this.#open();
    else if (character === ')') this.#close();
    else if (character === '|') this.#advance(1, undefined);
    else if (character === '[') this.#class();
    else if (this.#pattern.startsWith('\\Q', this.#at)) this.#quoted();
    else if (character === '\\') this.#advance(this.#escape(false), 1);
    else this.#advance(1, 1);
  }

  #advance(length: number, last: number | undefined): void {
    this.#at += length;
    this.#last = last;
  }

  #match(regex: RegExp): RegExpExecArray | null {
    return regex.exec(this.#pattern.slice(this.#at, this.#at + 200));
  }

  #reject(length: number, message: string): never {
    throw new PatternError(this.#at, Math.min(this.#at + length, this.#pattern.length), message);
  }

  #repeatCounted(counted: RegExpExecArray, isRepeated: boolean): void {
    const [quantifier, low, high] = counted;
    const [min, max] = [Number(low), Number(high || low)];
    if (min > max)
      this.#reject(quantifier.length, 'The first number of a repetition must not exceed the second.');
    this.#repeat(quantifier.length, Math.max(max, 1), isRepeated);
  }

  #repeat(length: number, times: number, isRepeated: boolean): void {
    if (this.#last === undefined) this.#reject(length, 'There is nothing to repeat before this.');
    if (isRepeated)
      this.#reject(length, 'This is repeated already. Patterns have no possessive quantifiers.');
    const repetitions = this.#last * times;
    if (repetitions > maxRepetitions) this.#reject(length, `A repetition can be ${maxRepetitions} at most.`);
    const isLazy = this.#pattern[this.#at + length] === '?';
    this.#advance(length + (isLazy ? 1 : 0), repetitions);
    this.#recordRepetitions(repetitions);
  }

  /** A group takes the highest repetition count of its elements. */
  #recordRepetitions(repetitions: number): void {
    const group = this.#groups.at(-1);
    if (group) group.repetitions = Math.max(group.repetitions, repetitions);
  }

  #open(): void {
    for (const [regex, message] of unsupportedGroups) {
      const match = this.#match(regex);
      if (match) this.#reject(match[0].length, message);
    }
    const flags = this.#match(/^\(\?[imsU]*(?:-[imsU]+)?\)/);
    if (flags) {
      this.#at += flags[0].length;
      return;
    }
    const opening = this.#match(/^\((?:\?(?:[imsU]*(?:-[imsU]+)?:|P?<[A-Za-z_]\w*>)|(?!\?))/);
    if (!opening) this.#reject(3, 'Unknown group type. Write (?: for a non-capturing group.');
    this.#groups.push({ start: this.#at, repetitions: 1 });
    this.#advance(opening[0].length, undefined);
  }

  #close(): void {
    const group = this.#groups.pop();
    if (!group) this.#reject(1, 'There is no open group: write \\) for the character itself.');
    this.#recordRepetitions(group.repetitions);
    this.#advance(1, group.repetitions);
  }

  #quoted(): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const length = (end < 0 ? this.#pattern.length : end + 2) - this.#at;
    this.#advance(length, length > 4 || (end < 0 && length > 2) ? 1 : this.#last);
  }

  /** Checks an escape sequence and returns its length. */
  #escape(isInClass: boolean): number {
    const match =
      this.#match(/^\\(?:[0-7]{2,3}|0|x[\dA-Fa-f]{2}|x\{[\dA-Fa-f]{1,6}\}|[pP](?:[A-Za-z]|\{\^?\w+\}))/) ??
      this.#match(isInClass ? /^\\[afnrtvdDsSwW]/ : /^\\[afnrtvdDsSwWbBAzC]/) ??
      this.#match(/^\\[!-/:-@[-`{-~ \t\n\r]/);
    if (match) return match[0].length;
    if (this.#match(/^\\[1-9k]/)) this.#reject(2, backReference);
    if (this.#match(/^\\$/))
      this.#reject(1, 'A pattern can not end with a backslash: write two for the character itself.');
    if (this.#match(/^\\Z/)) this.#reject(2, 'Patterns match the whole string anyway: remove \\Z.');
    return this.#reject(2, 'Unknown escape: only those of RE2 are allowed before a letter.');
  }

  #class(): void {
    const start = this.#at;
    this.#at += this.#pattern[start + 1] === '^' ? 2 : 1;
    // A leading bracket is a literal character.
    do {
      if (this.#at >= this.#pattern.length)
        throw new PatternError(
          start,
          start + 1,
          'This is not closed: write ] at its end, or \\[ for the character itself.',
        );
      this.#classItem();
    } while (this.#pattern[this.#at] !== ']');
    this.#advance(1, 1);
  }

  #classItem(): void {
    const posix = this.#match(/^\[:\^?(\w*):\]/);
    if (posix) {
      if (!posixClasses.has(posix[1] as string))
        this.#reject(posix[0].length, 'There is no class of this name.');
      this.#at += posix[0].length;
      return;
    }
    if (this.#match(setEscape)) {
      this.#at += this.#escape(true);
      return;
    }
    const from = this.#at;
    const low = this.#character();
    if (this.#match(/^-(?:\]|$)|^[^-]|^$/)) return;
    this.#at++;
    if (low > this.#character())
      throw new PatternError(from, this.#at, 'The start of a range must not come after its end.');
  }

  /** Consumes a character of a class and returns its code point. */
  #character(): number {
    const start = this.#at;
    const code = this.#pattern.codePointAt(start) ?? 0;
    if (code !== 0x5c) {
      this.#at += code > 0xffff ? 2 : 1;
      return code;
    }
    if (this.#match(setEscape)) this.#reject(2, 'The ends of a range must be single characters.');
    this.#at += this.#escape(true);
    const escaped = this.#pattern.slice(start + 1, this.#at);
    if (escaped.startsWith('x')) return Number.parseInt(escaped.replace(/[x{}]/g, ''), 16);
    if (/^\d/.test(escaped)) return Number.parseInt(escaped, 8);
    return namedEscapes.get(escaped) ?? escaped.charCodeAt(0);
  }
}
