/** Every part of so many characters is known. */
export const windowLength = 12;
const factor = 0x0100_0193;
const leaving = Array.from({ length: windowLength }).reduce<number>((power) => Math.imul(power, factor), 1);

/**
 * Knows every window of some texts: a hash table over a rolling hash, so that a text is searched for all of them at once
 * in a time that depends on its length alone.
 */
export class WindowIndex {
  readonly #corpus: string;
  readonly #bits: number;
  readonly #hashes: Int32Array;
  /** Where the window begins in the corpus, plus one; 0: none. */
  readonly #places: Int32Array;

  constructor(texts: readonly string[]) {
    // Nothing that is looked for holds this character.
    this.#corpus = texts.join('\0');
    this.#bits = Math.max(8, Math.ceil(Math.log2(this.#corpus.length * 2 + 1)));
    this.#hashes = new Int32Array(2 ** this.#bits);
    this.#places = new Int32Array(2 ** this.#bits);
    eachWindow(this.#corpus, (start, hash) => {
      const slot = this.#slotOf(this.#corpus, start, hash);
      this.#hashes[slot] = hash;
      this.#places[slot] ||= start + 1;
    });
  }

  /** Calls back with the places of a text where a known window begins, and where it stands among the texts. */
  find(text: string, found: (start: number, place: number) => void): void {
    eachWindow(text, (start, hash) => {
      const place = this.#places[this.#slotOf(text, start, hash)] as number;
      if (place !== 0) found(start, place - 1);
    });
  }

  /** The slot that holds this window, or the free one where it belongs. */
  #slotOf(text: string, start: number, hash: number): number {
    let slot = Math.imul(hash, 0x9e37_79b1) >>> (32 - this.#bits);
    for (;;) {
      const place = this.#places[slot] as number;
      if (place === 0) return slot;
      if (this.#hashes[slot] === hash && this.#isSame(place - 1, text, start)) return slot;
      slot = (slot + 1) & (this.#places.length - 1);
    }
  }

  #isSame(place: number, text: string, start: number): boolean {
    for (let at = 0; at < windowLength; at++)
      if (this.#corpus.charCodeAt(place + at) !== text.charCodeAt(start + at)) return false;
    return true;
  }
}

function eachWindow(text: string, found: (start: number, hash: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, factor) + text.charCodeAt(at)) | 0;
    if (at >= windowLength) hash = (hash - Math.imul(text.charCodeAt(at - windowLength), leaving)) | 0;
    if (at >= windowLength - 1) found(at - windowLength + 1, hash);
  }
}
