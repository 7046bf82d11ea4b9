/** Where JSON text stops being JSON, and why; lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const space = /[ \t\n\r]*/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const wanted: Readonly<Record<Exclude<Expected, 'comma or end'>, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a member name in double quotes',
  'name or }': 'a member name in double quotes or }',
  colon: ':',
};

/** The first fault; undefined where there is none. The engine's own message has no place on Node 20, or quotes the text. */
export function jsonFault(text: string): JsonFault | undefined {
  const scanner = new Scanner(text);
  const reason = scanner.scan();
  if (reason === undefined) return undefined;
  const before = text.slice(0, scanner.place);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: scanner.place - lineStart + 1, reason };
}

export function describeFault({ line, column, reason }: JsonFault): string {
  return `line ${line}, column ${column}: ${reason}`;
}

class Scanner {
  place = 0;
  readonly #text: string;
  /** The closing bracket of each array and object that is open. */
  readonly #open: (']' | '}')[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): string | undefined {
    let expected: Expected = 'value';
    for (;;) {
      this.#take(space);
      const character = this.#text[this.place];
      if (expected === 'comma or end' && this.#open.length === 0)
        return character === undefined ? undefined : 'expected nothing after the value';
      if (character === undefined) return `the text ends early, expected ${this.#wanted(expected)}`;
      const next = this.#step(expected, character);
      if (next.reason !== undefined) return next.reason;
      expected = next.expected;
    }
  }

  #step(
    expected: Expected,
    character: string,
  ): { expected: Expected; reason?: undefined } | { reason: string } {
    if (expected === 'colon') return character === ':' ? this.#past('value') : this.#refuse(expected);
    if (expected === 'comma or end') {
      if (character === ',') return this.#past(this.#open.at(-1) === '}' ? 'name' : 'value');
      return character === this.#open.at(-1) ? this.#close() : this.#refuse(expected);
    }
    if (character === '}' && expected === 'name or }') return this.#close();
    if (character === ']' && expected === 'value or ]') return this.#close();
    if (character === '"') return this.#string(expected.startsWith('name') ? 'colon' : 'comma or end');
    if (expected.startsWith('name')) return this.#refuse(expected);
    if (character === '{') return this.#opened('}', 'name or }');
    if (character === '[') return this.#opened(']', 'value or ]');
    return this.#take(literal) > 0 ? { expected: 'comma or end' } : this.#refuse(expected);
  }

  #string(next: Expected) {
    for (this.place++; this.place < this.#text.length; ) {
      const character = this.#text[this.place] as string;
      if (character === '"') return this.#past(next);
      if (character < ' ') return { reason: 'unescaped control character in a string' };
      if (character !== '\\') this.place++;
      else if (this.#take(escapeSequence) === 0) return { reason: 'invalid escape in a string' };
    }
    return { reason: 'the text ends inside a string' };
  }

  #opened(end: ']' | '}', next: Expected) {
    this.#open.push(end);
    return this.#past(next);
  }

  #close() {
    this.#open.pop();
    return this.#past('comma or end');
  }

  #past(expected: Expected) {
    this.place++;
    return { expected };
  }

  #refuse(expected: Expected) {
    return { reason: `expected ${this.#wanted(expected)}` };
  }

  #wanted(expected: Expected): string {
    if (expected !== 'comma or end') return wanted[expected];
    return `, or ${this.#open.at(-1)}`;
  }

  /** How many characters the pattern takes from here. */
  #take(pattern: RegExp): number {
    pattern.lastIndex = this.place;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.place += length;
    return length;
  }
}
