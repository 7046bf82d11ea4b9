/** Evicts the least recently used entry beyond its capacity. */
export class LruMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Marks the entry as most recently used. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest as string);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  entries(): [string, Value][] {
    return [...this.#entries];
  }
}
