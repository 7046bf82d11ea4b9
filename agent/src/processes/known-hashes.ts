/** Characters of a hash that are compared. */
const prefixLength = 16;
const maxHashes = 5_000;

/** The hashes that were reported, as the cursor of the source keeps them; the oldest are forgotten. */
export class KnownHashes {
  readonly #known = new Set<string>();

  /** The cursor may be damaged: what is no hash is left out. */
  static from(cursor: unknown): KnownHashes {
    const known = new KnownHashes();
    const { hashes } = (cursor ?? {}) as { readonly hashes?: unknown };
    if (Array.isArray(hashes))
      for (const hash of hashes.slice(-maxHashes))
        if (typeof hash === 'string' && /^[0-9a-f]{16}$/.test(hash)) known.#known.add(hash);
    return known;
  }

  /** Adds hashes; those that were not known. */
  add(hashes: readonly string[]): string[] {
    const added: string[] = [];
    for (const hash of hashes) {
      const prefix = hash.slice(0, prefixLength);
      // The ones in use move to the end, so that they are forgotten last.
      if (!this.#known.delete(prefix)) added.push(hash);
      this.#known.add(prefix);
    }
    for (const hash of this.#known) {
      if (this.#known.size <= maxHashes) break;
      this.#known.delete(hash);
    }
    return added;
  }

  get cursor(): unknown {
    return { hashes: [...this.#known] };
  }
}
