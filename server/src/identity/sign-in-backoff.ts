import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/recent-map.ts';

const free = 5;
const longest = 300_000;
/** After this long without a failure everything is forgotten. */
const forgottenAfter = 3_600_000;

/**
 * How long whoever gave a wrong secret has to wait, longer each time. It concerns wrong secrets only: a right one is never
 * held up, so nobody can lock out a key by guessing at it.
 */
export class SignInBackoff {
  readonly #clock: Clock;
  readonly #failures: RecentMap<{ count: number; lastAt: number; until: number }>;

  constructor(clock: Clock, most = 10_000) {
    this.#clock = clock;
    this.#failures = new RecentMap(most);
  }

  get size(): number {
    return this.#failures.size;
  }

  /** A wrong secret was given: the seconds to wait when it came too early, else 0. */
  fail(keyId: string, network: string): number {
    const now = this.#clock.now();
    const key = nameOf(keyId, network);
    const before = this.#failures.get(key);
    const known = before && now - before.lastAt < forgottenAfter ? before : { count: 0, until: 0 };
    if (known.until > now) return Math.ceil((known.until - now) / 1_000);
    const count = known.count + 1;
    const pause = count <= free ? 0 : Math.min(longest, 1_000 * 2 ** (count - free - 1));
    this.#failures.set(key, { count, lastAt: now, until: now + pause });
    return 0;
  }

  succeed(keyId: string, network: string): void {
    this.#failures.delete(nameOf(keyId, network));
  }
}

function nameOf(keyId: string, network: string): string {
  return `${network} ${keyId}`;
}
