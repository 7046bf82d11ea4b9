import { createHash } from 'node:crypto';

/** A pseudorandom generator (sfc32), deterministic by its seeds. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(...seeds: readonly (string | number)[]) {
    const bytes = createHash('md5').update(seeds.join('\n')).digest();
    [this.#a, this.#b, this.#c, this.#d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as State;
  }

  /** An unsigned 32-bit integer. */
  bits(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** A number in [0, 1). */
  share(): number {
    return this.bits() / 4_294_967_296;
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** Distinct items up to `count`. */
  some<Item>(items: readonly Item[], count: number): Item[] {
    if (items.length <= count) return [...items];
    const first = this.below(items.length);
    const step = Math.floor(items.length / count);
    return Array.from({ length: count }, (_, index) => items[(first + index * step) % items.length] as Item);
  }

  hex(digits: number): string {
    let hex = '';
    while (hex.length < digits) hex += this.bits().toString(16).padStart(8, '0');
    return hex.slice(0, digits);
  }

  /** A positive integer of 53 bits, exact in JSON. */
  key(): number {
    return (this.bits() & 0x1f_ffff) * 4_294_967_296 + this.bits() + 1;
  }
}

type State = [number, number, number, number];
