import type { RateLeases } from '../../control/rate-leases.ts';
import { StoreUnavailable } from '../../control/store-failure.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Decision, SlidingWindow } from './sliding-window.ts';

/** Gives out the tokens of all buckets; one belongs to a user or key and to a functionality. */
export interface Limiter {
  take(functionality: string, owner: string, limit: number): Decision | Promise<Decision>;
  /** Drops what is no longer needed; called now and then. */
  forgetIdle(): Promise<void>;
}

/** One node: the buckets live in memory. */
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

  async forgetIdle(): Promise<void> {
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

/** Several nodes: each takes a handful of tokens at a time from the shared store, not one write a request. */
export class SharedLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #leases: RateLeases;
  readonly #held = new Map<string, { id: string; tokens: number; remaining: number; until: number }>();
  readonly #asking = new Map<string, Promise<Decision>>();

  constructor(clock: Clock, leases: RateLeases) {
    this.#clock = clock;
    this.#leases = leases;
  }

  take(functionality: string, owner: string, limit: number): Decision | Promise<Decision> {
    const bucket = `${owner} ${functionality}`;
    return this.#takeHeld(bucket, limit) ?? this.#queue(bucket, limit);
  }

  async forgetIdle(): Promise<void> {
    const now = this.#clock.now();
    for (const [bucket, held] of this.#held) if (held.until <= now) this.#held.delete(bucket);
    await this.#leases.forgetOld();
  }

  #takeHeld(bucket: string, limit: number): Decision | undefined {
    const held = this.#held.get(bucket);
    if (!held || held.tokens === 0 || held.until <= this.#clock.now()) return undefined;
    held.tokens--;
    const remaining = held.remaining + held.tokens;
    return { allowed: true, limit, remaining, reset: 0 };
  }

  /** Requests for one bucket ask the store one after the other, so that they share what the first one brings. */
  #queue(bucket: string, limit: number): Promise<Decision> {
    const before = this.#asking.get(bucket) ?? Promise.resolve();
    const answer = before.then(
      () => this.#takeHeld(bucket, limit) ?? this.#ask(bucket, limit),
      (error: unknown) => {
        // Each waiting for a store that is away, one after the other, would take that much longer for the last.
        if (error instanceof StoreUnavailable) throw error;
        return this.#ask(bucket, limit);
      },
    );
    this.#asking.set(bucket, answer);
    const done = () => {
      if (this.#asking.get(bucket) === answer) this.#asking.delete(bucket);
    };
    answer.then(done, done);
    return answer;
  }

  async #ask(bucket: string, limit: number): Promise<Decision> {
    const unused = this.#held.get(bucket);
    const lease = await this.#leases.take(bucket, limit, unused);
    if (lease.tokens === 0) {
      this.#held.delete(bucket);
      return { allowed: false, limit, remaining: 0, reset: Math.max(1, Math.ceil(lease.wait / 1000)) };
    }
    const tokens = lease.tokens - 1;
    this.#held.set(bucket, { id: lease.id, tokens, remaining: lease.remaining, until: lease.until });
    const remaining = lease.remaining + tokens;
    return {
      allowed: true,
      limit,
      remaining,
      reset: remaining > 0 ? 0 : Math.max(1, Math.ceil(lease.wait / 1000)),
    };
  }
}
