import { clientNetwork } from '../../platform/client-address.ts';
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { type Decision, SlidingWindow } from './sliding-window.ts';

/** Requests that one address may send at once to what monitors ask, and each second after that. */
const monitorBurst = 1_200;
const monitorRate = 10;

/**
 * The buckets of clients that are not signed in, by their address. They live in the memory of each node, so that nobody makes
 * the store write without a login, and are bounded: past the bound, the address that was silent longest starts anew.
 */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #windows: RecentMap<SlidingWindow>;
  readonly #monitors: RecentMap<{ tokens: number; at: number }>;

  constructor(clock: Clock, most = 10_000) {
    this.#clock = clock;
    this.#windows = new RecentMap(most);
    this.#monitors = new RecentMap(most);
  }

  take(functionality: string, address: string, limit: number): Decision {
    const key = `${clientNetwork(address)} ${functionality}`;
    const window = this.#windows.get(key) ?? new SlidingWindow();
    this.#windows.set(key, window);
    return window.take(limit, this.#clock.now());
  }

  /** Whether a monitor may ask again: far more often than any does. */
  takeAsMonitor(address: string): boolean {
    const now = this.#clock.now();
    const key = clientNetwork(address);
    const { tokens, at } = this.#monitors.get(key) ?? { tokens: monitorBurst, at: now };
    const refilled = Math.min(monitorBurst, tokens + (Math.max(0, now - at) / 1_000) * monitorRate);
    const isAllowed = refilled >= 1;
    this.#monitors.set(key, { tokens: isAllowed ? refilled - 1 : refilled, at: now });
    return isAllowed;
  }

  forgetIdle(): void {
    const now = this.#clock.now();
    for (const [key, window] of this.#windows.entries()) if (window.isIdle(now)) this.#windows.delete(key);
  }
}
