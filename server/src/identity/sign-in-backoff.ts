import type { Clock } from '../platform/clock.ts';
import { LruMap } from '../platform/lru-map.ts';

const maxDelay = 300_000;
/** Failures expire after this time without a new one. */
const expiry = 3_600_000;

export interface BackoffLimits {
  readonly capacity?: number;
  readonly freeAttempts?: number;
}

/** Increasing delay after wrong secrets of a key or user, from one network. */
export class SignInBackoff {
  readonly #clock: Clock;
  readonly #freeAttempts: number;
  readonly #failures: LruMap<{ count: number; lastAt: number; until: number }>;

  constructor(clock: Clock, { capacity = 10_000, freeAttempts = 5 }: BackoffLimits = {}) {
    this.#clock = clock;
    this.#freeAttempts = freeAttempts;
    this.#failures = new LruMap(capacity);
  }

  get size(): number {
    return this.#failures.size;
  }

  /** Seconds to wait before the next attempt; 0 if there is no delay. */
  wait(keyId: string, network: string): number {
    const { until = 0 } = this.#failures.get(backoffKey(keyId, network)) ?? {};
    return Math.max(0, Math.ceil((until - this.#clock.now()) / 1_000));
  }

  /** Records a wrong secret. Returns the seconds to wait if it was sent during the delay, else 0. */
  fail(keyId: string, network: string): number {
    const now = this.#clock.now();
    const key = backoffKey(keyId, network);
    const stored = this.#failures.get(key);
    const current = stored && now - stored.lastAt < expiry ? stored : { count: 0, until: 0 };
    if (current.until > now) return Math.ceil((current.until - now) / 1_000);
    const count = current.count + 1;
    const excess = count - this.#freeAttempts;
    const delay = excess <= 0 ? 0 : Math.min(maxDelay, 1_000 * 2 ** (excess - 1));
    this.#failures.set(key, { count, lastAt: now, until: now + delay });
    return 0;
  }

  succeed(keyId: string, network: string): void {
    this.#failures.delete(backoffKey(keyId, network));
  }
}

function backoffKey(keyId: string, network: string): string {
  return `${network} ${keyId}`;
}
