import { randomUUID } from 'node:crypto';
import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { IntegrationRow } from '../../integrations/record.ts';
import type { Clock } from '../../platform/clock.ts';

export interface LeasesDeps {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
  /** Unique name of the data directory. */
  readonly node: string;
  /** Types that have a queue. */
  readonly types: readonly string[];
}

/** The right to read the queue of an integration. */
export interface Lease {
  readonly integration: IntegrationRow;
  readonly holder: string;
  readonly failures: number;
}

type QueueRow = Tables['audit_queues'];

const leaseLength = 60_000;
/** Clients often change an integration shortly after they create it. */
const settlingTime = 5_000;
const minBackoff = 30_000;
const maxBackoff = 3_600_000;
const maxAccounts = 1_000;

/** One node reads a queue at a time. */
export class Leases {
  readonly #deps: LeasesDeps;

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
  }

  /** Releases the leases of the previous process of this data directory. */
  async takeOver(): Promise<void> {
    const { store, clock, node } = this.#deps;
    await store.housekeeping((tx) =>
      tx
        .updateTable('audit_queues')
        .set({ holder: '', due_at: clock.now() })
        .where('holder', 'like', `${node} %`)
        .execute(),
    );
  }

  /** Accounts with a queue to read. */
  async accounts(): Promise<string[]> {
    const rows = await this.#due()
      .select('integrations.owner_id')
      .groupBy('integrations.owner_id')
      .orderBy(({ fn }) => fn.min('due_at'))
      .limit(maxAccounts)
      .execute();
    return rows.map(({ owner_id }) => owner_id);
  }

  async take(account: string): Promise<Lease | undefined> {
    const { store, clock, node } = this.#deps;
    const due = await this.#due()
      .selectAll('integrations')
      .select(['holder', 'due_at', 'failures'])
      .where('integrations.owner_id', '=', account)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    if (!due) return undefined;
    const { holder: before, due_at, failures, ...integration } = due;
    const lease = { integration, holder: `${node} ${randomUUID()}`, failures: failures ?? 0 };
    const taken = {
      ...{ holder: lease.holder, due_at: clock.now() + leaseLength, failures: lease.failures },
      settings_at: integration.updated_at,
    };
    const isTaken = await store.housekeeping(async (tx) => {
      if (before !== null && due_at !== null) {
        const { numUpdatedRows } = await tx
          .updateTable('audit_queues')
          .set(taken)
          .where((is) => is.and({ integration_id: integration.id, holder: before, due_at }))
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('audit_queues')
        .values({ integration_id: integration.id, owner_id: integration.owner_id, ...taken })
        .onConflict((conflict) => conflict.column('integration_id').doNothing())
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    });
    return isTaken ? lease : undefined;
  }

  /** False if the lease is lost. */
  renew(lease: Lease): Promise<boolean> {
    return this.#change(lease, { due_at: this.#deps.clock.now() + leaseLength });
  }

  /** Whether the integration is enabled and has the same settings. */
  async isCurrent({ integration: { id, updated_at } }: Lease): Promise<boolean> {
    const row = await this.#deps.store.read
      .selectFrom('integrations')
      .select('id')
      .where((is) => is.and({ id, updated_at, enabled: 1 }))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The queue is read again after a pause, which grows with consecutive failures. */
  async release(lease: Lease, { isFailed, pause }: { isFailed: boolean; pause: number }): Promise<void> {
    const failures = isFailed ? lease.failures + 1 : 0;
    const backoff = Math.min(minBackoff * 2 ** Math.min(failures - 1, 10), maxBackoff);
    const due_at = this.#deps.clock.now() + (isFailed ? backoff : pause);
    await this.#change(lease, { holder: '', due_at, failures });
  }

  /** Deletes rows of integrations that are gone. */
  async deleteOrphans(): Promise<void> {
    await this.#deps.store.housekeeping((tx) =>
      tx
        .deleteFrom('audit_queues')
        .where('integration_id', 'not in', tx.selectFrom('integrations').select('id'))
        .execute(),
    );
  }

  #due() {
    const { store, clock, types } = this.#deps;
    const now = clock.now();
    return store.read
      .selectFrom('integrations')
      .leftJoin('audit_queues', 'audit_queues.integration_id', 'integrations.id')
      .where('integrations.family', '=', 'CloudAccounts')
      .where('integrations.type', 'in', types)
      .where('integrations.enabled', '=', 1)
      .where('integrations.updated_at', '<=', now - settlingTime)
      .where((is) =>
        is.or([
          is('due_at', 'is', null),
          is('due_at', '<=', now),
          // Changed settings end the pause after a failure.
          is.and([is('holder', '=', ''), is('settings_at', '!=', is.ref('integrations.updated_at'))]),
        ]),
      );
  }

  async #change({ integration: { id }, holder }: Lease, changes: Partial<QueueRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#deps.store.housekeeping((tx) =>
      tx
        .updateTable('audit_queues')
        .set(changes)
        .where((is) => is.and({ integration_id: id, holder }))
        .executeTakeFirstOrThrow(),
    );
    return numUpdatedRows > 0n;
  }
}
