import { JsonString } from './reply.ts';

/**
 * JSON that stays the same as long as what it is made of does, for operations that clients ask again and again. For each
 * source the latest variant is kept.
 */
export class CachedJson<Source extends object> {
  readonly #known = new WeakMap<Source, { readonly variant: string; readonly text: JsonString }>();
  readonly #make: (source: Source, variant: string) => object;

  constructor(make: (source: Source, variant: string) => object) {
    this.#make = make;
  }

  of(source: Source, variant: string): JsonString {
    const known = this.#known.get(source);
    if (known?.variant === variant) return known.text;
    const text = new JsonString(JSON.stringify(this.#make(source, variant)));
    this.#known.set(source, { variant, text });
    return text;
  }
}
