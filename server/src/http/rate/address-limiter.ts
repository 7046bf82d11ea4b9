import { clientNetwork } from '../../platform/client-address.ts';
import type { Clock } from '../../platform/clock.ts';
import { LruMap } from '../../platform/lru-map.ts';
import { type Decision, SlidingWindow } from './sliding-window.ts';

/** Token bucket of an address for the monitoring endpoints: burst size, and requests per second. */
const monitorBurst = 1_200;
const monitorRate = 10;

/**
 * Rate limits of unauthenticated clients, by address. They are kept in the memory of each node, so that unauthenticated
 * requests cause no writes to the store. Their number is limited: the least recently used address is evicted.
 */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #windows: LruMap<SlidingWindow>;
  readonly #monitors: LruMap<{ tokens: number; at: number }>;

  constructor(clock: Clock, maxAddresses = 10_000) {
    this.#clock = clock;
    this.#windows = new LruMap(maxAddresses);
    this.#monitors = new LruMap(maxAddresses);
  }

  take(functionality: string, address: string, limit: number): Decision {
    const key = `${clientNetwork(address)} ${functionality}`;
    const window = this.#windows.get(key) ?? new SlidingWindow();
    this.#windows.set(key, window);
    return window.take(limit, this.#clock.now());
  }

  /** Whether a monitoring request is allowed; the limit is far above what monitors need. */
  takeAsMonitor(address: string): boolean {
    const now = this.#clock.now();
    const key = clientNetwork(address);
    const { tokens, at } = this.#monitors.get(key) ?? { tokens: monitorBurst, at: now };
    const refilled = Math.min(monitorBurst, tokens + (Math.max(0, now - at) / 1_000) * monitorRate);
    const isAllowed = refilled >= 1;
    this.#monitors.set(key, { tokens: isAllowed ? refilled - 1 : refilled, at: now });
    return isAllowed;
  }

  removeIdle(): void {
    const now = this.#clock.now();
    for (const [key, window] of this.#windows.entries()) if (window.isIdle(now)) this.#windows.delete(key);
  }
}
