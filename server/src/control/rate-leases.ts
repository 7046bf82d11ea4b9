import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { newSortableId } from '../platform/ids.ts';
import type { ControlStore } from './store.ts';

const hour = 3_600_000;
/** Lifetime of a lease; its tokens return one hour after the lease ends. */
const lifetime = 10_000;
/** A full bucket is leased in this many shares, a nearly empty one token by token, so that no node hoards the rest. */
const shares = 32;

export interface RateLease {
  readonly id: string;
  readonly tokens: number;
  /** Tokens left in the bucket for all nodes. */
  readonly remaining: number;
  readonly until: number;
  /** Milliseconds until the oldest tokens return. */
  readonly wait: number;
}

/** Token buckets shared by the nodes of a cluster, stored as leases in the control store. */
export class RateLeases {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Leases tokens, after returning the unused ones of an earlier lease of this node. */
  take(bucket: string, limit: number, unused?: { id: string; tokens: number }): Promise<RateLease> {
    return this.#store.housekeeping(async (tx) => {
      if (this.#store.dialect === 'postgres') {
        await sql`select pg_advisory_xact_lock(hashtextextended(${bucket}, 0))`.execute(tx);
      }
      const now = this.#clock.now();
      if (unused && unused.tokens > 0) {
        await tx
          .updateTable('rate_takes')
          .set(({ eb }) => ({ tokens: eb('tokens', '-', unused.tokens) }))
          .where('bucket', '=', bucket)
          .where('id', '=', unused.id)
          .execute();
      }
      await tx
        .deleteFrom('rate_takes')
        .where('bucket', '=', bucket)
        .where('taken_at', '<=', now - hour - lifetime)
        .execute();
      const takes = await tx
        .selectFrom('rate_takes')
        .select(['tokens', 'taken_at'])
        .where('bucket', '=', bucket)
        .where('tokens', '>', 0)
        .orderBy('taken_at')
        .execute();
      const free = limit - takes.reduce((sum, take) => sum + take.tokens, 0);
      const wait = (takes[0]?.taken_at ?? now) + hour + lifetime - now;
      const share = Math.max(1, Math.floor(limit / shares));
      const tokens = free <= 0 ? 0 : free < 4 * share ? 1 : share;
      const id = newSortableId(now);
      if (tokens > 0)
        await tx.insertInto('rate_takes').values({ bucket, id, taken_at: now, tokens }).execute();
      return { id, tokens, remaining: Math.max(0, free - tokens), until: now + lifetime, wait };
    });
  }

  async deleteOld(): Promise<void> {
    const old = this.#clock.now() - hour - lifetime;
    await this.#store.housekeeping((tx) =>
      tx.deleteFrom('rate_takes').where('taken_at', '<=', old).execute(),
    );
  }
}
