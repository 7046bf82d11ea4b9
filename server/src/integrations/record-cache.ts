/** Limit of all cached strings together, in characters. */
const maxCharacters = 16_000_000;
/** Longer records are not cached. */
const maxRecordLength = 64_000;

interface CacheEntry {
  readonly stored: string;
  readonly shown: string;
}

/**
 * Caches records with decrypted secrets as JSON, because decryption costs more than reading the row. The key is the
 * sealed secret, which differs each time it is sealed, so an entry never outlives its secret.
 */
export class RecordCache {
  readonly #entries = new Map<string, CacheEntry>();
  #characters = 0;

  /** The total length of the cached strings. */
  get characters(): number {
    return this.#characters;
  }

  /** The shown record for a stored one; `show` creates it if it is not cached. */
  of(sealed: string, stored: string, show: () => string): string {
    const cached = this.#entries.get(sealed);
    if (cached?.stored === stored) return cached.shown;
    const shown = show();
    if (cached) this.#characters -= lengthOf(sealed, cached);
    this.#entries.delete(sealed);
    const length = lengthOf(sealed, { stored, shown });
    if (length > maxRecordLength) return shown;
    if (this.#characters + length > maxCharacters) this.#clear();
    this.#entries.set(sealed, { stored, shown });
    this.#characters += length;
    return shown;
  }

  #clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }
}

function lengthOf(sealed: string, { stored, shown }: CacheEntry): number {
  return sealed.length + stored.length + shown.length;
}
