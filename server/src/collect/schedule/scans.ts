import type { Actor } from '../../control/actor.ts';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Cloud } from '../inventory/cloud.ts';

export interface ScanState {
  readonly status: 'available' | 'scanning' | 'pending';
  readonly details: string;
}

const cooldown = 3_600_000;

const states = {
  available: { status: 'available', details: 'Scan is available' },
  nothing: { status: 'available', details: 'There is no enabled integration of this provider to scan' },
  requested: { status: 'scanning', details: 'Scan has been requested' },
  running: { status: 'scanning', details: 'Scan is in progress' },
  recent: { status: 'pending', details: 'Scan recently completed within an hour' },
} as const satisfies Record<string, ScanState>;

/** Collections on request: of all enabled integrations of a provider, at most one an hour. */
export class Scans {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(store: ControlStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async state(account: string, cloud: Cloud): Promise<ScanState> {
    const now = this.#clock.now();
    const rows = await this.#store.read
      .selectFrom('collections')
      .select(['due_at', 'lease_until', 'started_at', 'ended_at'])
      .where('owner_id', '=', account)
      .where('cloud', '=', cloud)
      .execute();
    if (rows.some(({ lease_until }) => (lease_until ?? 0) > now)) return states.running;
    if (rows.some(({ due_at }) => due_at <= now)) return states.requested;
    const isRecent = rows.some(({ ended_at }) => ended_at !== null && ended_at > now - cooldown);
    return isRecent ? states.recent : states.available;
  }

  /** Starts a collection if none is running and the last one ended more than an hour ago. */
  async request(actor: Actor, cloud: Cloud): Promise<ScanState> {
    const state = await this.state(actor.ownerId, cloud);
    if (state.status !== 'available') return state;
    return this.#store.transaction(actor, async (tx, act) => {
      const { numUpdatedRows } = await tx
        .updateTable('collections')
        .set({ due_at: this.#clock.now() })
        .where('owner_id', '=', actor.ownerId)
        .where('cloud', '=', cloud)
        .executeTakeFirst();
      act.describe(cloud);
      return numUpdatedRows === 0n ? states.nothing : states.requested;
    });
  }
}
