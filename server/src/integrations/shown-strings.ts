/** Of all strings that are kept, sealed, stored and shown, in characters. */
const mostCharacters = 16_000_000;
/** Of one record: a longer one is opened each time. */
const longest = 64_000;

interface CacheEntry {
  readonly stored: string;
  readonly shown: string;
}

/**
 * Records with a secret that is shown, as they were sent lately: opening the secret costs more than reading the row.
 * What was sealed anew has another text, so nothing old is ever found.
 */
export class ShownStrings {
  readonly #entries = new Map<string, CacheEntry>();
  #characters = 0;

  /** What is kept now, at most 16 million characters whatever the accounts hold. */
  get characters(): number {
    return this.#characters;
  }

  /** The text that is shown for what is stored; `show` makes it when it is not known. */
  of(sealed: string, stored: string, show: () => string): string {
    const known = this.#entries.get(sealed);
    if (known?.stored === stored) return known.shown;
    const shown = show();
    if (known) this.#characters -= lengthOf(sealed, known);
    this.#entries.delete(sealed);
    const length = lengthOf(sealed, { stored, shown });
    if (length > longest) return shown;
    if (this.#characters + length > mostCharacters) this.#forget();
    this.#entries.set(sealed, { stored, shown });
    this.#characters += length;
    return shown;
  }

  #forget(): void {
    this.#entries.clear();
    this.#characters = 0;
  }
}

function lengthOf(sealed: string, { stored, shown }: CacheEntry): number {
  return sealed.length + stored.length + shown.length;
}
