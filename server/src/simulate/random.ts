import { createHash } from 'node:crypto';

/** Numbers that look random and are the same for the same words: the generator sfc32. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(...words: readonly (string | number)[]) {
    const bytes = createHash('md5').update(words.join('\n')).digest();
    [this.#a, this.#b, this.#c, this.#d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as Four;
  }

  /** 32 bits. */
  bits(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** From 0 to just below 1. */
  share(): number {
    return this.bits() / 4_294_967_296;
  }

  /** A whole number from 0 to just below the limit. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** As many different ones, or all of them when there are not so many; in the order of the list. */
  some<Item>(items: readonly Item[], count: number): Item[] {
    if (items.length <= count) return [...items];
    const first = this.below(items.length);
    const step = Math.floor(items.length / count);
    return Array.from({ length: count }, (_, index) => items[(first + index * step) % items.length] as Item);
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** Of 53 bits, which is as much as JSON.stringify writes without loss; never 0. */
  key(): number {
    return (this.bits() & 0x1f_ffff) * 4_294_967_296 + this.bits() + 1;
  }
}

type Four = [number, number, number, number];
