import type { Clock } from '../platform/clock.ts';

/** Caches values until shortly before they expire; concurrent callers share one request. */
export class ExpiringCache<Value> {
  readonly #clock: Clock;
  readonly #margin: number;
  readonly #entries = new Map<string, { value: Promise<Value>; until: number }>();

  /** `margin`: milliseconds before the expiry at which a value is no longer used. */
  constructor(clock: Clock, margin: number) {
    this.#clock = clock;
    this.#margin = margin;
  }

  get(key: string, obtain: () => Promise<{ value: Value; expiresAt: number }>): Promise<Value> {
    const now = this.#clock.now();
    const cached = this.#entries.get(key);
    if (cached && now < cached.until) return cached.value;
    for (const [old, { until }] of this.#entries) if (until <= now) this.#entries.delete(old);
    const obtained = obtain();
    const entry = { value: obtained.then(({ value }) => value), until: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    obtained.then(
      ({ expiresAt }) => {
        entry.until = expiresAt - this.#margin;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}
