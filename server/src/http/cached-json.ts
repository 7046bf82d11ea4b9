import { JsonString } from './reply.ts';

/** Caches serialized JSON for frequently called operations: the latest variant for each source object. */
export class CachedJson<Source extends object> {
  readonly #cache = new WeakMap<Source, { readonly variant: string; readonly json: JsonString }>();
  readonly #build: (source: Source, variant: string) => object;

  constructor(build: (source: Source, variant: string) => object) {
    this.#build = build;
  }

  of(source: Source, variant: string): JsonString {
    const cached = this.#cache.get(source);
    if (cached?.variant === variant) return cached.json;
    const json = new JsonString(JSON.stringify(this.#build(source, variant)));
    this.#cache.set(source, { variant, json });
    return json;
  }
}
