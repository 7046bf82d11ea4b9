import type { ExpressionBuilder } from 'kysely';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { IntegrationRow } from '../../integrations/record.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Cloud } from '../inventory/cloud.ts';
import type { SavedSummary } from './collection-summary.ts';
import { collectedTypes, integrationClouds } from './integration-clouds.ts';

export type CollectionRow = Tables['collections'];

/** What an interrupted collection goes on with. */
export interface CollectionProgress {
  /** Ids of the finished readings, by target. */
  readonly done: Readonly<Record<string, readonly string[]>>;
  readonly summary?: SavedSummary;
  /** How often its process ended before it was complete. */
  readonly crashes?: number;
}

export interface CollectionsDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  /** Identifies this node and process. */
  readonly node: string;
}

export const leaseDuration = 120_000;
const day = 24 * 3_600_000;
/** Clients often change an integration shortly after they create it. */
const settlingTime = 2_000;
/** An older interrupted collection starts again: what it read is outdated. */
const maxInterruption = 6 * 3_600_000;
const atOnce = 1_000;

/** The schedule of collections in the control store. */
export class Collections {
  readonly #deps: CollectionsDeps;

  constructor(deps: CollectionsDeps) {
    this.#deps = deps;
  }

  /** Schedules new and changed integrations, and forgets those that are deleted or disabled. */
  async synchronize(): Promise<void> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const rows = await store.read
      .selectFrom('integrations')
      .leftJoin('collections', 'collections.integration_id', 'integrations.id')
      .select(['integrations.id', 'integrations.owner_id', 'integrations.type', 'integrations.updated_at'])
      .select(['collections.started_at', 'collections.due_at'])
      .where('integrations.family', '=', 'CloudAccounts')
      .where('integrations.type', 'in', collectedTypes)
      .where('integrations.enabled', '=', 1)
      .where('integrations.updated_at', '<=', now - settlingTime)
      .where((is) =>
        is.or([
          is('collections.integration_id', 'is', null),
          is.and([
            is('collections.due_at', '>', now),
            is('integrations.updated_at', '>', is.ref('collections.started_at')),
          ]),
        ]),
      )
      .limit(atOnce)
      .execute();
    for (const { id, owner_id, type, due_at } of rows) {
      const cloud = integrationClouds[type] as Cloud;
      const empty = { started_at: null, ended_at: null, node: null, lease_until: null, progress: '{}' };
      await store.housekeeping(async (tx) => {
        if (due_at === null)
          await tx
            .insertInto('collections')
            .values({ integration_id: id, owner_id, cloud, due_at: now, ...empty })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        else
          await tx
            .updateTable('collections')
            .set({ due_at: now })
            .where('integration_id', '=', id)
            .where('lease_until', 'is', null)
            .execute();
      });
    }
    await store.housekeeping((tx) =>
      tx
        .deleteFrom('collections')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('integrations')
                .select('id')
                .whereRef('integrations.id', '=', 'collections.integration_id')
                .where('integrations.enabled', '=', 1),
            ),
          ),
        )
        .execute(),
    );
  }

  /** Accounts with a due collection, longest wait first. */
  async accounts(): Promise<string[]> {
    const now = this.#deps.clock.now();
    const rows = await this.#deps.store.read
      .selectFrom('collections')
      .select('owner_id')
      .where('due_at', '<=', now)
      .where(isFree(now))
      .groupBy('owner_id')
      .orderBy(({ fn }) => fn.min('due_at'))
      .limit(atOnce)
      .execute();
    return rows.map(({ owner_id }) => owner_id);
  }

  /**
   * Leases the next due collection of an account. Another integration of the same cloud account must not be running, on
   * whatever node: the budget of calls is per cloud account.
   */
  async take(account: string): Promise<{ row: CollectionRow; integration: IntegrationRow } | undefined> {
    const { store, clock, node } = this.#deps;
    return store.housekeeping(async (tx) => {
      const now = clock.now();
      const due = await tx
        .selectFrom('collections')
        .selectAll()
        .where('owner_id', '=', account)
        .where('due_at', '<=', now)
        .where(isFree(now))
        .orderBy('due_at')
        .limit(100)
        .execute();
      for (const row of due) {
        const integration = await tx
          .selectFrom('integrations')
          .selectAll()
          .where('id', '=', row.integration_id)
          .executeTakeFirst();
        if (!integration) continue;
        if (await isCollected(tx, integration.identity, row.cloud, now)) continue;
        const isResumed =
          row.started_at !== null && row.ended_at === null && row.started_at > now - maxInterruption;
        const taken = {
          ...{ node, lease_until: now + leaseDuration, ended_at: null },
          started_at: isResumed ? row.started_at : now,
          progress: isResumed ? row.progress : '{}',
        };
        const { numUpdatedRows } = await tx
          .updateTable('collections')
          .set(taken)
          .where('integration_id', '=', row.integration_id)
          .where(isFree(now))
          .executeTakeFirst();
        if (numUpdatedRows > 0) return { row: { ...row, ...taken }, integration };
      }
      return undefined;
    });
  }

  /** Extends the lease and saves the progress; false if the lease was lost. */
  async renew(id: string, progress: CollectionProgress): Promise<boolean> {
    const { clock } = this.#deps;
    const changes = { lease_until: clock.now() + leaseDuration, progress: JSON.stringify(progress) };
    return this.#change(id, changes);
  }

  async ended(id: string, startedAt: number): Promise<boolean> {
    const { clock } = this.#deps;
    return this.#change(id, {
      ...{ ended_at: clock.now(), due_at: startedAt + day, progress: '{}' },
      ...{ node: null, lease_until: null },
    });
  }

  /** Gives a collection back, to be resumed at once by this or another node. */
  async release(id: string, progress: CollectionProgress): Promise<void> {
    await this.#change(id, { node: null, lease_until: null, progress: JSON.stringify(progress) });
  }

  /** Gives back what an earlier process of this node was running. */
  async takeOver(place: string): Promise<void> {
    await this.#deps.store.housekeeping((tx) =>
      tx
        .updateTable('collections')
        .set({ node: null, lease_until: null })
        .where('node', 'like', `${place} %`)
        .execute(),
    );
  }

  async #change(id: string, changes: Partial<CollectionRow>): Promise<boolean> {
    const { store, node } = this.#deps;
    const { numUpdatedRows } = await store.housekeeping((tx) =>
      tx
        .updateTable('collections')
        .set(changes)
        .where('integration_id', '=', id)
        .where('node', '=', node)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0;
  }
}

/** No node runs it. */
function isFree(now: number) {
  return (is: ExpressionBuilder<Tables, 'collections'>) =>
    is.or([is('lease_until', 'is', null), is('lease_until', '<=', now)]);
}

/** Whether a collection of the same cloud account is running, for whatever integration and on whatever node. */
async function isCollected(
  tx: ControlTransaction,
  identity: string | null,
  cloud: string,
  now: number,
): Promise<boolean> {
  if (identity === null) return false;
  // Locks all integrations of the cloud account, so that two nodes can not both find none running.
  await tx
    .updateTable('integrations')
    .set(({ ref }) => ({ identity: ref('identity') }))
    .where('type', 'in', collectedTypes)
    .where('identity', '=', identity)
    .execute();
  const running = await tx
    .selectFrom('collections')
    .innerJoin('integrations', 'integrations.id', 'collections.integration_id')
    .select('integrations.id')
    .where('collections.cloud', '=', cloud)
    .where('integrations.identity', '=', identity)
    .where('collections.lease_until', '>', now)
    .executeTakeFirst();
  return running !== undefined;
}
