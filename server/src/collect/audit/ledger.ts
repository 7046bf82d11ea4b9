import type { ControlStore } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';

type ObjectRow = Tables['audit_objects'];

export interface LedgerDeps {
  readonly store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly clock: Clock;
}

/** The integration whose queue announced the objects. */
export type Integration = Pick<Tables['integrations'], 'id' | 'owner_id'>;

/** What became of an object. */
export interface ObjectOutcome
  extends Pick<ObjectRow, 'identity' | 'state' | 'attempts' | 'bytes' | 'name' | 'reason'> {}

/** An object that was not stored, as `state.details` names it. */
export interface SetAsideObject {
  readonly object: string;
  readonly reason: string;
  readonly time: number;
}

/** Attempts after which an object that could not be read counts as set aside; it is still tried every hour. */
export const maxAttempts = 5;
const maxNameLength = 300;
const maxReasonLength = 300;
const maxListed = 20;
const problemLifetime = 2 * 3_600_000;
/** As long as queues keep messages by default, and somewhat longer. */
const retention = 7 * 24 * 3_600_000;
const batchSize = 5_000;

/** Which objects are stored, which failed, and which are set aside. */
export class Ledger {
  readonly #deps: LedgerDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  async known({ id }: Integration, identities: readonly string[]): Promise<Map<string, ObjectRow>> {
    if (identities.length === 0) return new Map();
    const rows = await this.#deps.store.read
      .selectFrom('audit_objects')
      .selectAll()
      .where('integration_id', '=', id)
      .where('identity', 'in', identities)
      .execute();
    return new Map(rows.map((row) => [row.identity, row]));
  }

  async record({ id, owner_id }: Integration, outcomes: readonly ObjectOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const { store, clock } = this.#deps;
    const updated_at = clock.now();
    await store.housekeeping(async (tx) => {
      for (const { identity, ...outcome } of outcomes) {
        const name = outcome.name?.slice(0, maxNameLength) ?? null;
        const reason = outcome.reason?.slice(0, maxReasonLength) ?? null;
        const values = { ...outcome, name, reason, updated_at };
        await tx
          .insertInto('audit_objects')
          .values({ integration_id: id, identity, owner_id, ...values })
          .onConflict((conflict) => conflict.columns(['integration_id', 'identity']).doUpdateSet(values))
          .execute();
      }
    });
  }

  /** The newest objects that were not stored. */
  async setAside({ id }: Integration): Promise<SetAsideObject[]> {
    const rows = await this.#deps.store.read
      .selectFrom('audit_objects')
      .select(['name', 'reason', 'updated_at'])
      .where('integration_id', '=', id)
      .where((is) =>
        is.or([
          is('state', '=', 'set aside'),
          is.and([is('state', '=', 'growing'), is('reason', 'is not', null)]),
          is.and([is('state', '=', 'failed'), is('attempts', '>=', maxAttempts)]),
        ]),
      )
      .orderBy('updated_at', 'desc')
      .limit(maxListed)
      .execute();
    return rows.map(({ name, reason, updated_at }) => ({
      ...{ object: name ?? '', reason: reason ?? '', time: updated_at },
    }));
  }

  /** Why the last object that is still tried could not be read. */
  async problem({ id }: Integration): Promise<string | undefined> {
    const { store, clock } = this.#deps;
    const row = await store.read
      .selectFrom('audit_objects')
      .select('reason')
      .where('integration_id', '=', id)
      .where('state', '=', 'failed')
      // Later attempts would have changed it: the queue does not have the message any more.
      .where('updated_at', '>', clock.now() - problemLifetime)
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.reason ?? undefined;
  }

  /** Objects that are appended to and were read before an instant. */
  async growing({ id }: Integration, before: number, limit: number): Promise<ObjectRow[]> {
    return this.#deps.store.read
      .selectFrom('audit_objects')
      .selectAll()
      .where('integration_id', '=', id)
      .where('state', '=', 'growing')
      .where('updated_at', '<=', before)
      .orderBy('updated_at')
      .limit(limit)
      .execute();
  }

  /** Deletes what no queue announces any more. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#deps;
    const before = clock.now() - retention;
    for (let deleted = batchSize; deleted >= batchSize; ) {
      deleted = await store.housekeeping(async (tx) => {
        const expired = await tx
          .selectFrom('audit_objects')
          .select(['integration_id', 'identity'])
          .where('updated_at', '<', before)
          .limit(batchSize)
          .execute();
        for (const { integration_id, identity } of expired)
          await tx
            .deleteFrom('audit_objects')
            .where('integration_id', '=', integration_id)
            .where('identity', '=', identity)
            .execute();
        return expired.length;
      });
    }
  }
}
