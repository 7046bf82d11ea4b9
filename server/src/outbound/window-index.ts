/** Substrings of this length are indexed. */
export const windowLength = 12;
const factor = 0x0100_0193;
const leavingFactor = Array.from({ length: windowLength }).reduce<number>(
  (power) => Math.imul(power, factor),
  1,
);

/**
 * Indexes all windows of a set of strings in a hash table over a rolling hash, to search a text for all of them in time
 * linear in its length.
 */
export class WindowIndex {
  readonly #corpus: string;
  readonly #bits: number;
  readonly #hashes: Int32Array;
  /** Offset of the window in the corpus plus one; 0 if the slot is empty. */
  readonly #offsets: Int32Array;

  constructor(strings: readonly string[]) {
    // A separator that no indexed string contains.
    this.#corpus = strings.join('\0');
    this.#bits = Math.max(8, Math.ceil(Math.log2(this.#corpus.length * 2 + 1)));
    this.#hashes = new Int32Array(2 ** this.#bits);
    this.#offsets = new Int32Array(2 ** this.#bits);
    eachWindow(this.#corpus, (start, hash) => {
      const slot = this.#slotOf(this.#corpus, start, hash);
      this.#hashes[slot] = hash;
      this.#offsets[slot] ||= start + 1;
    });
  }

  /** Reports the offsets in the text at which an indexed window starts, with its offset in the corpus. */
  find(text: string, found: (start: number, offset: number) => void): void {
    eachWindow(text, (start, hash) => {
      const offset = this.#offsets[this.#slotOf(text, start, hash)] as number;
      if (offset !== 0) found(start, offset - 1);
    });
  }

  /** The slot of this window, or the empty slot to insert it. */
  #slotOf(text: string, start: number, hash: number): number {
    let slot = Math.imul(hash, 0x9e37_79b1) >>> (32 - this.#bits);
    for (;;) {
      const offset = this.#offsets[slot] as number;
      if (offset === 0) return slot;
      if (this.#hashes[slot] === hash && this.#isSame(offset - 1, text, start)) return slot;
      slot = (slot + 1) & (this.#offsets.length - 1);
    }
  }

  #isSame(offset: number, text: string, start: number): boolean {
    for (let at = 0; at < windowLength; at++)
      if (this.#corpus.charCodeAt(offset + at) !== text.charCodeAt(start + at)) return false;
    return true;
  }
}

function eachWindow(text: string, found: (start: number, hash: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, factor) + text.charCodeAt(at)) | 0;
    if (at >= windowLength) hash = (hash - Math.imul(text.charCodeAt(at - windowLength), leavingFactor)) | 0;
    if (at >= windowLength - 1) found(at - windowLength + 1, hash);
  }
}
