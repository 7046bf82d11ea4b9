/** Keeps the last value until its key changes. */
export class Cached<Value> {
  #last: { readonly key: string; readonly value: Value } | undefined;

  async get(key: string, compute: () => Promise<Value>): Promise<Value> {
    if (this.#last?.key !== key) this.#last = { key, value: await compute() };
    return this.#last.value;
  }
}
