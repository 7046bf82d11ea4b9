interface Cached<Detail> {
  readonly detail: Detail;
  readonly readAt: number;
}

/** Restarted containers keep their id: their details are read again after this time at the latest. */
const maxAge = 10 * 60_000;

/** Details of containers by their id and state, because runtimes spend more on them than on a list. */
export class DetailCache<Detail> {
  #known = new Map<string, Cached<Detail>>();

  /** The details for all keys. `undefined` is not kept; keys that are not listed any more are forgotten. */
  async all(
    keys: readonly string[],
    now: number,
    readDetail: (key: string) => Promise<Detail | undefined>,
  ): Promise<Map<string, Detail>> {
    const next = new Map<string, Cached<Detail>>();
    for (const key of keys) {
      const known = this.#known.get(key);
      if (known && now >= known.readAt && now - known.readAt < maxAge) {
        next.set(key, known);
        continue;
      }
      const detail = await readDetail(key);
      if (detail !== undefined) next.set(key, { detail, readAt: now });
    }
    this.#known = next;
    return new Map([...next].map(([key, { detail }]) => [key, detail]));
  }
}
