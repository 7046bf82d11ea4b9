/** Position and reason of a JSON syntax error; lines and columns start at 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const space = /[ \t\n\r]*/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const descriptions: Readonly<Record<Exclude<Expected, 'comma or end'>, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a member name in double quotes',
  'name or }': 'a member name in double quotes or }',
  colon: ':',
};

/** The first syntax error, or undefined. The engine's own message has no position on Node 20, or quotes the input. */
export function jsonFault(json: string): JsonFault | undefined {
  const scanner = new Scanner(json);
  const reason = scanner.scan();
  if (reason === undefined) return undefined;
  const before = json.slice(0, scanner.position);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: scanner.position - lineStart + 1, reason };
}

export function describeFault({ line, column, reason }: JsonFault): string {
  return `line ${line}, column ${column}: ${reason}`;
}

class Scanner {
  position = 0;
  readonly #json: string;
  /** Closing brackets of the open arrays and objects. */
  readonly #open: (']' | '}')[] = [];

  constructor(json: string) {
    this.#json = json;
  }

  scan(): string | undefined {
    let expected: Expected = 'value';
    for (;;) {
      this.#take(space);
      const character = this.#json[this.position];
      if (expected === 'comma or end' && this.#open.length === 0)
        return character === undefined ? undefined : 'expected nothing after the value';
      if (character === undefined) return `the text ends early, expected ${this.#describe(expected)}`;
      const next = this.#step(expected, character);
      if (next.reason !== undefined) return next.reason;
      expected = next.expected;
    }
  }

  #step(
    expected: Expected,
    character: string,
  ): { expected: Expected; reason?: undefined } | { reason: string } {
    if (expected === 'colon') return character === ':' ? this.#advance('value') : this.#fail(expected);
    if (expected === 'comma or end') {
      if (character === ',') return this.#advance(this.#open.at(-1) === '}' ? 'name' : 'value');
      return character === this.#open.at(-1) ? this.#pop() : this.#fail(expected);
    }
    if (character === '}' && expected === 'name or }') return this.#pop();
    if (character === ']' && expected === 'value or ]') return this.#pop();
    if (character === '"') return this.#string(expected.startsWith('name') ? 'colon' : 'comma or end');
    if (expected.startsWith('name')) return this.#fail(expected);
    if (character === '{') return this.#push('}', 'name or }');
    if (character === '[') return this.#push(']', 'value or ]');
    return this.#take(literal) > 0 ? { expected: 'comma or end' } : this.#fail(expected);
  }

  #string(next: Expected) {
    for (this.position++; this.position < this.#json.length; ) {
      const character = this.#json[this.position] as string;
      if (character === '"') return this.#advance(next);
      if (character < ' ') return { reason: 'unescaped control character in a string' };
      if (character !== '\\') this.position++;
      else if (this.#take(escapeSequence) === 0) return { reason: 'invalid escape in a string' };
    }
    return { reason: 'the text ends inside a string' };
  }

  #push(end: ']' | '}', next: Expected) {
    this.#open.push(end);
    return this.#advance(next);
  }

  #pop() {
    this.#open.pop();
    return this.#advance('comma or end');
  }

  #advance(expected: Expected) {
    this.position++;
    return { expected };
  }

  #fail(expected: Expected) {
    return { reason: `expected ${this.#describe(expected)}` };
  }

  #describe(expected: Expected): string {
    if (expected !== 'comma or end') return descriptions[expected];
    return `, or ${this.#open.at(-1)}`;
  }

  /** Consumes the pattern at the current position and returns its length. */
  #take(pattern: RegExp): number {
    pattern.lastIndex = this.position;
    const length = pattern.exec(this.#json)?.[0].length ?? 0;
    this.position += length;
    return length;
  }
}
