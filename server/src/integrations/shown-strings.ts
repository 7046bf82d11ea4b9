/** Of all strings that are kept, sealed, stored and shown, in characters. */
const mostCharacters = 16_000_000;
/** Of one record: a longer one is opened each time. */
const longest = 64_000;

interface Kept {
  readonly stored: string;
  readonly shown: string;
}

/**
 * Records with a secret that is shown, as they were sent lately: opening the secret costs more than reading the row.
 * What was sealed anew has another text, so nothing old is ever found.
 */
export class ShownStrings {
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  /** What is kept now, at most 16 million characters whatever the accounts hold. */
  get characters(): number {
    return this.#characters;
  }

  /** The text that is shown for what is stored; `show` makes it when it is not known. */
  of(sealed: string, stored: string, show: () => string): string {
    const known = this.#kept.get(sealed);
    if (known?.stored === stored) return known.shown;
    const shown = show();
    if (known) this.#characters -= lengthOf(sealed, known);
    this.#kept.delete(sealed);
    const length = lengthOf(sealed, { stored, shown });
    if (length > longest) return shown;
    if (this.#characters + length > mostCharacters) this.#forget();
    this.#kept.set(sealed, { stored, shown });
    this.#characters += length;
    return shown;
  }

  #forget(): void {
    this.#kept.clear();
    this.#characters = 0;
  }
}

function lengthOf(sealed: string, { stored, shown }: Kept): number {
  return sealed.length + stored.length + shown.length;
}
