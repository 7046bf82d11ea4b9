import { LogFault } from './log-fault.ts';

export interface JsonValuesOptions {
  /** The member of the outer object whose array has the values; without it the values follow one another. */
  readonly array?: string | undefined;
  /** Bytes of a value; longer ones are passed over. */
  readonly maxLength: number;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];
const separators = new Set([9, 10, 13, 32, 44]);
/** Longer than the names of members that hold values. */
const maxNameLength = 40;

/** Finds the objects in a stream of JSON, in constant memory and without parsing them. */
export class JsonValues {
  readonly #options: JsonValuesOptions;
  /** Depth at which a value begins. */
  readonly #base: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInArray = false;
  #isArrayFound = false;
  /** The last string directly in the outer object: a name, when an array follows. */
  #name: number[] = [];
  /** The beginning of a value that continues in the next chunk. */
  #pieces: Buffer[] = [];
  #length = 0;
  #consumed = 0;
  #end = 0;

  constructor(options: JsonValuesOptions) {
    this.#options = options;
    this.#base = options.array === undefined ? 0 : 2;
  }

  get isArray(): boolean {
    return this.#options.array !== undefined;
  }

  /** Bytes up to the end of the last complete value. */
  get end(): number {
    return this.#end;
  }

  /** The values that end in the chunk; undefined for one that is too long. */
  *push(chunk: Buffer): Generator<string | undefined> {
    let start = this.#pieces.length > 0 || this.#length > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#isInString) {
        this.#readString(byte);
        continue;
      }
      const isOutside = this.#isOutside();
      if (byte === quote) {
        if (isOutside) throw this.#notObjects();
        this.#isInString = true;
        this.#name = [];
      } else if (byte === openBrace || byte === openBracket) {
        if (isOutside && byte === openBracket) throw this.#notObjects();
        if (isOutside) start = at;
        else if (byte === openBracket) this.#enterArray();
        this.#depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#depth < 0)
          throw new LogFault('is not valid JSON: a bracket is closed that was never opened');
        if (start >= 0 && this.#depth === this.#base) {
          yield this.#take(chunk.subarray(start, at + 1));
          start = -1;
          this.#end = this.#consumed + at + 1;
        } else if (this.#isInArray && this.#depth < this.#base) this.#isInArray = false;
      } else if (isOutside && !separators.has(byte)) throw this.#notObjects();
    }
    if (start >= 0) this.#keep(chunk.subarray(start));
    this.#consumed += chunk.length;
  }

  /** Refuses an incomplete stream. */
  finish(): void {
    const { array } = this.#options;
    if (this.#depth > 0 || this.#isInString) throw new LogFault('is truncated: its JSON is not complete');
    if (array !== undefined && !this.#isArrayFound) throw new LogFault(`has no array "${array}"`);
  }

  /** Whether a value may begin here. */
  #isOutside(): boolean {
    return this.#depth === this.#base && (this.#base === 0 || this.#isInArray);
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInString = false;
    if (this.#isInString && this.#depth === 1 && this.#name.length <= maxNameLength) this.#name.push(byte);
  }

  #enterArray(): void {
    if (this.#depth !== 1 || Buffer.from(this.#name).toString() !== this.#options.array) return;
    this.#isInArray = true;
    this.#isArrayFound = true;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#options.maxLength) this.#pieces = [];
    else this.#pieces.push(Buffer.from(piece));
  }

  #take(last: Buffer): string | undefined {
    const isTooLong = this.#length + last.length > this.#options.maxLength;
    const value = isTooLong ? undefined : Buffer.concat([...this.#pieces, last]).toString();
    this.#pieces = [];
    this.#length = 0;
    return value;
  }

  #notObjects(): LogFault {
    const { array } = this.#options;
    return new LogFault(
      array === undefined ? 'is not JSON' : `has values in "${array}" that are not objects`,
    );
  }
}
