import type { Clock } from '../../platform/clock.ts';

/** The documented rate of an API, of which a collection uses a share. */
export interface ApiRate {
  /** Calls per second. */
  readonly perSecond: number;
}

/** Where a provider documents no rate, this many calls a second are made, whatever the share is. */
const undocumentedRate = 5;

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

interface Bucket {
  /** The earliest time of the next call. */
  next: number;
  readonly interval: number;
  /** The documented rate, if there is one. */
  readonly perSecond: number | undefined;
  calls: number;
  readonly since: number;
}

/** How much of its rate an API was used. */
export interface BudgetUsage {
  readonly api: string;
  readonly calls: number;
  /** Part of the documented rate from the first call until now; undefined where none is documented. */
  readonly share?: number;
}

/**
 * Spaces the calls of a collection so that each API sees at most a share of its documented rate. One call at a time is
 * let through, without bursts. Only one collection of a cloud account runs at a time, on whatever node, so that this
 * bounds the calls to that account.
 */
export class CallBudget {
  readonly #share: number;
  readonly #clock: Clock;
  readonly #wait: Wait;
  readonly #buckets = new Map<string, Bucket>();

  constructor({
    share,
    clock,
    wait,
  }: { readonly share: number; readonly clock: Clock; readonly wait: Wait }) {
    this.#share = share;
    this.#clock = clock;
    this.#wait = wait;
  }

  /** Resolves when the call may be made. `api` is what the provider counts: `ec2 eu-west-1`. */
  async take(api: string, rate: ApiRate | undefined, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.#clock.now();
    const bucket = this.#buckets.get(api) ?? this.#open(api, rate, now);
    const at = Math.max(now, bucket.next);
    bucket.next = at + bucket.interval;
    if (at > now) await this.#wait(at - now, signal);
    bucket.calls++;
  }

  /** After throttling: no call to the API for this long. */
  pause(api: string, milliseconds: number): void {
    const bucket = this.#buckets.get(api);
    if (bucket) bucket.next = Math.max(bucket.next, this.#clock.now() + milliseconds);
  }

  /** Before a call is repeated that failed for another reason: other calls go on. */
  async delay(milliseconds: number): Promise<void> {
    await this.#wait(milliseconds, new AbortController().signal);
  }

  usage(): BudgetUsage[] {
    const now = this.#clock.now();
    return [...this.#buckets].map(([api, { calls, perSecond, since }]) => ({
      api,
      calls,
      ...(perSecond !== undefined && { share: calls / Math.max(1, (now - since) / 1_000) / perSecond }),
    }));
  }

  #open(api: string, rate: ApiRate | undefined, now: number): Bucket {
    const allowed = rate ? rate.perSecond * this.#share : undocumentedRate;
    const perSecond = rate?.perSecond;
    const bucket = { next: now, interval: 1_000 / allowed, perSecond, calls: 0, since: now };
    this.#buckets.set(api, bucket);
    return bucket;
  }
}
