import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import { maxDelay } from './export-plan.ts';
import { hourLength } from './layout.ts';

export type ExportRow = Tables['exports'];

export interface ExportQueueDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly place: string;
}

/** Lease of a row in milliseconds, renewed while its parts are written. */
export const leaseDuration = 600_000;
const minDelay = 60_000;

/** Accounts per batch. */
const maxAccounts = 1_000;

/** The due hours of this node. */
export class ExportQueue {
  readonly #deps: ExportQueueDeps;

  constructor(deps: ExportQueueDeps) {
    this.#deps = deps;
  }

  /** Accounts with a due hour, longest wait first. */
  async accounts(): Promise<string[]> {
    const { store, clock, place } = this.#deps;
    const rows = await store.read
      .selectFrom('exports')
      .select('owner_id')
      .where('place', '=', place)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', clock.now())
      .groupBy('owner_id')
      .orderBy(({ fn }) => fn.min('due_at'))
      .limit(maxAccounts)
      .execute();
    return rows.map(({ owner_id }) => owner_id);
  }

  /** Leases the next due hour of the account and counts an attempt. */
  async take(account: string): Promise<ExportRow | undefined> {
    const { store, clock, place } = this.#deps;
    const now = clock.now();
    const next = await store.read
      .selectFrom('exports')
      .selectAll()
      .where('owner_id', '=', account)
      .where('place', '=', place)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      // A row that always fails must not block others.
      .orderBy('attempts')
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst();
    if (!next) return undefined;
    const taken = { attempts: next.attempts + 1, due_at: now + leaseDuration, updated_at: now };
    const isTaken = await store.housekeeping((tx) => change(tx, next, taken));
    return isTaken ? { ...next, ...taken } : undefined;
  }

  /** Extends the lease while the hour is written. */
  async renew(row: ExportRow): Promise<void> {
    const due_at = this.#deps.clock.now() + leaseDuration;
    await this.#deps.store.housekeeping((tx) => change(tx, row, { due_at }));
  }

  async written(tx: ControlTransaction, row: ExportRow, records: number, object: string): Promise<void> {
    const updated_at = this.#deps.clock.now();
    await change(tx, row, { state: 'written', records, object, problem: null, updated_at });
  }

  /**
   * Retries with exponential backoff up to an hour, and finally gives up. Rows that match `alike` are postponed as
   * well, so that an unavailable bucket gets one request and not one per dataset.
   */
  async failed(
    tx: ControlTransaction,
    row: ExportRow,
    problem: string,
    sameProblem?: Partial<ExportRow>,
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const isDead = now - row.hour - hourLength > maxDelay;
    const wait = Math.min(minDelay * 2 ** Math.min(row.attempts - 1, 10), hourLength);
    const due_at = now + wait;
    const state = isDead ? 'dead' : 'waiting';
    const isOwn = await change(tx, row, { state, due_at, problem, updated_at: now });
    if (!sameProblem || isDead || !isOwn) return;
    await tx
      .updateTable('exports')
      .set({ due_at })
      .where('place', '=', row.place)
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now)
      .where((is) => is.and(sameProblem))
      .execute();
  }

  /** Releases the lease without counting the attempt. */
  async release(row: ExportRow): Promise<void> {
    const given = { attempts: row.attempts - 1, due_at: this.#deps.clock.now() };
    await this.#deps.store.housekeeping((tx) => change(tx, row, given));
  }
}

/** False if the lease was lost: a node whose lease expired must not change the row. */
async function change(tx: ControlTransaction, row: ExportRow, changes: Partial<ExportRow>): Promise<boolean> {
  const { owner_id, rule_id, channel_id, place, dataset, hour, attempts } = row;
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set(changes)
    .where((is) =>
      is.and({ owner_id, rule_id, channel_id, place, dataset, hour, attempts, state: 'waiting' }),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}
