/** Keeps the last value until its key changes. */
export class Cached<Value> {
  #last: { readonly key: string; readonly value: Value } | undefined;

  async get(
    key: string,
    compute: () => Promise<Value>,
    isKept: (value: Value) => boolean = () => true,
  ): Promise<Value> {
    if (this.#last?.key === key) return this.#last.value;
    const value = await compute();
    this.#last = isKept(value) ? { key, value } : undefined;
    return value;
  }
}
