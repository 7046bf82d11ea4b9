/** JSON of a runtime, of which no member is certain. */
export class JsonValue {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  static parse(text: string): JsonValue | undefined {
    try {
      return new JsonValue(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  at(name: string): JsonValue {
    const value = this.#value;
    return new JsonValue(
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    );
  }

  get isArray(): boolean {
    return Array.isArray(this.#value);
  }

  get isObject(): boolean {
    return typeof this.#value === 'object' && this.#value !== null && !this.isArray;
  }

  /** Empty if it is not an array. */
  get items(): JsonValue[] {
    return Array.isArray(this.#value) ? this.#value.map((item) => new JsonValue(item)) : [];
  }

  /** Empty if it is not an object. */
  get entries(): [string, JsonValue][] {
    return this.isObject
      ? Object.entries(this.#value as object).map(([name, value]) => [name, new JsonValue(value)])
      : [];
  }

  /** Undefined if it is empty or not a string. */
  get string(): string | undefined {
    return typeof this.#value === 'string' && this.#value !== '' ? this.#value : undefined;
  }

  get strings(): string[] {
    return this.items.flatMap(({ string }) => string ?? []);
  }

  /** A natural number that JSON represents exactly. */
  get count(): number | undefined {
    return Number.isSafeInteger(this.#value) && Number(this.#value) >= 0 ? Number(this.#value) : undefined;
  }

  get boolean(): boolean | undefined {
    return typeof this.#value === 'boolean' ? this.#value : undefined;
  }

  /** RFC 3339 as milliseconds since the epoch. Runtimes write the year 1 for what has not happened. */
  get time(): number | undefined {
    const time = Date.parse(this.string ?? '');
    return time > 0 ? time : undefined;
  }
}
