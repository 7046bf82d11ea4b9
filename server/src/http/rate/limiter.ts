import type { RateLeases } from '../../control/rate-leases.ts';
import { StoreUnavailable } from '../../control/store-failure.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Decision, SlidingWindow } from './sliding-window.ts';

/** Rate limits per functionality and owner, which is a user or an API key. */
export interface Limiter {
  take(functionality: string, owner: string, limit: number): Decision | Promise<Decision>;
  /** Removes expired state; called periodically. */
  removeIdle(): Promise<void>;
}

/** For a single node: the windows are kept in memory. */
export class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Map<string, SlidingWindow>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(functionality: string, owner: string, limit: number): Decision {
    const window = this.#windows.get(functionality)?.get(owner) ?? this.#open(functionality, owner);
    return window.take(limit, this.#clock.now());
  }

  async removeIdle(): Promise<void> {
    const now = this.#clock.now();
    for (const windows of this.#windows.values()) {
      for (const [owner, window] of windows) if (window.isIdle(now)) windows.delete(owner);
    }
  }

  #open(functionality: string, owner: string): SlidingWindow {
    const window = new SlidingWindow();
    const windows = this.#windows.get(functionality) ?? new Map<string, SlidingWindow>();
    this.#windows.set(functionality, windows.set(owner, window));
    return window;
  }
}

/** For several nodes: each leases tokens in batches from the shared store, instead of one write per request. */
export class SharedLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #leases: RateLeases;
  readonly #leased = new Map<string, { id: string; tokens: number; remaining: number; until: number }>();
  readonly #pending = new Map<string, Promise<Decision>>();

  constructor(clock: Clock, leases: RateLeases) {
    this.#clock = clock;
    this.#leases = leases;
  }

  take(functionality: string, owner: string, limit: number): Decision | Promise<Decision> {
    const bucket = `${owner} ${functionality}`;
    return this.#takeLeased(bucket, limit) ?? this.#enqueue(bucket, limit);
  }

  async removeIdle(): Promise<void> {
    const now = this.#clock.now();
    for (const [bucket, lease] of this.#leased) if (lease.until <= now) this.#leased.delete(bucket);
    await this.#leases.deleteOld();
  }

  #takeLeased(bucket: string, limit: number): Decision | undefined {
    const lease = this.#leased.get(bucket);
    if (!lease || lease.tokens === 0 || lease.until <= this.#clock.now()) return undefined;
    lease.tokens--;
    const remaining = lease.remaining + lease.tokens;
    return { allowed: true, limit, remaining, reset: 0 };
  }

  /** Leases of one bucket are requested one at a time, so that concurrent requests share the tokens of a lease. */
  #enqueue(bucket: string, limit: number): Promise<Decision> {
    const before = this.#pending.get(bucket) ?? Promise.resolve();
    const decision = before.then(
      () => this.#takeLeased(bucket, limit) ?? this.#renew(bucket, limit),
      (error: unknown) => {
        // With an unavailable store, the queued requests must not time out one after another.
        if (error instanceof StoreUnavailable) throw error;
        return this.#renew(bucket, limit);
      },
    );
    this.#pending.set(bucket, decision);
    const done = () => {
      if (this.#pending.get(bucket) === decision) this.#pending.delete(bucket);
    };
    decision.then(done, done);
    return decision;
  }

  async #renew(bucket: string, limit: number): Promise<Decision> {
    const unused = this.#leased.get(bucket);
    const lease = await this.#leases.take(bucket, limit, unused);
    if (lease.tokens === 0) {
      this.#leased.delete(bucket);
      return { allowed: false, limit, remaining: 0, reset: Math.max(1, Math.ceil(lease.wait / 1000)) };
    }
    const tokens = lease.tokens - 1;
    this.#leased.set(bucket, { id: lease.id, tokens, remaining: lease.remaining, until: lease.until });
    const remaining = lease.remaining + tokens;
    return {
      allowed: true,
      limit,
      remaining,
      reset: remaining > 0 ? 0 : Math.max(1, Math.ceil(lease.wait / 1000)),
    };
  }
}
