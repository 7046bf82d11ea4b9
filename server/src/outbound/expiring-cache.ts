import type { Clock } from '../platform/clock.ts';

/** What is good until a moment, kept until shortly before it; those who want it at the same time wait for one. */
export class ExpiringCache<Value> {
  readonly #clock: Clock;
  readonly #margin: number;
  readonly #kept = new Map<string, { value: Promise<Value>; until: number }>();

  /** The margin is how long before its end a value is not given any more. */
  constructor(clock: Clock, margin: number) {
    this.#clock = clock;
    this.#margin = margin;
  }

  get(key: string, obtain: () => Promise<{ value: Value; expiresAt: number }>): Promise<Value> {
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    if (kept && now < kept.until) return kept.value;
    for (const [old, { until }] of this.#kept) if (until <= now) this.#kept.delete(old);
    const obtained = obtain();
    const entry = { value: obtained.then(({ value }) => value), until: Number.POSITIVE_INFINITY };
    this.#kept.set(key, entry);
    obtained.then(
      ({ expiresAt }) => {
        entry.until = expiresAt - this.#margin;
      },
      () => {
        if (this.#kept.get(key) === entry) this.#kept.delete(key);
      },
    );
    return entry.value;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
