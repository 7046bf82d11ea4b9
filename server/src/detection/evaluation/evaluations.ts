import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';

export type EvaluationRow = Tables['evaluations'];

/** Identifies an evaluation of this node. */
export interface EvaluationId {
  readonly ownerId: string;
  readonly policyId: string;
}

/** The exclusive right to evaluate a policy, until released or expired. */
export interface Lease extends EvaluationId {
  /** Strictly increasing per policy, so it identifies the lease. */
  readonly startedAt: number;
  readonly row: EvaluationRow;
}

/** Columns written after a successful evaluation. */
export type EvaluationResult = Pick<EvaluationRow, 'sequence' | 'followed' | 'due_at' | 'counts' | 'basis'>;

/** The lease expired and another node took over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const batchSize = 200;
const maxProblemLength = 2_000;
const firstDelay = 5_000;
const maxDelay = 3_600_000;

/** The evaluation rows, with which nodes coordinate leases and schedules. */
export class Evaluations {
  readonly place: string;
  readonly #store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly #clock: Clock;
  readonly #leaseLength: number;

  constructor(deps: {
    store: Pick<ControlStore, 'read' | 'housekeeping'>;
    clock: Clock;
    place: string;
    /** Lease duration in milliseconds. */
    leaseLength: number;
  }) {
    this.place = deps.place;
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#leaseLength = deps.leaseLength;
  }

  all(): Promise<EvaluationRow[]> {
    return this.#store.read.selectFrom('evaluations').selectAll().where('place', '=', this.place).execute();
  }

  /** Releases the leases of the previous process of this node. A node has one process at a time, so it has ended. */
  async takeOver(): Promise<void> {
    await this.#store.housekeeping(async (tx) => {
      for (const table of ['evaluations', 'activity_summaries'] as const)
        await tx
          .updateTable(table)
          .set({ leased_until: 0 })
          .where('place', '=', this.place)
          .where('leased_until', '>', 0)
          .execute();
    });
  }

  /**
   * Inserts missing rows; another node may insert the same concurrently. The rows of an account share one transaction,
   * because an account with any row does not count as new.
   */
  async add(evaluated: readonly (EvaluationId & Pick<EvaluationRow, 'followed'>)[]): Promise<void> {
    const now = this.#clock.now();
    const byOwner = new Map<string, EvaluationRow[]>();
    for (const { ownerId, policyId, followed } of evaluated) {
      const rows = byOwner.get(ownerId) ?? [];
      rows.push({
        ...{ owner_id: ownerId, policy_id: policyId, place: this.place, due_at: now, leased_until: 0 },
        ...{ sequence: 0, followed, started_at: null, finished_at: null, failures: 0, problem: null },
        ...{ counts: null, basis: null },
      });
      byOwner.set(ownerId, rows);
    }
    for (const rows of byOwner.values())
      await this.#store.housekeeping(async (tx) => {
        for (let from = 0; from < rows.length; from += batchSize)
          await tx
            .insertInto('evaluations')
            .values(rows.slice(from, from + batchSize))
            .onConflict((conflict) => conflict.columns(['owner_id', 'policy_id', 'place']).doNothing())
            .execute();
      });
  }

  /** Deletes rows with their evaluation position. Running evaluations lose their lease. */
  async remove(evaluated: readonly EvaluationId[]): Promise<void> {
    for (let from = 0; from < evaluated.length; from += batchSize) {
      const some = evaluated.slice(from, from + batchSize);
      await this.#store.housekeeping((tx) =>
        tx
          .deleteFrom('evaluations')
          .where('place', '=', this.place)
          .where(({ or, and, eb }) =>
            or(
              some.map(({ ownerId, policyId }) =>
                and([eb('owner_id', '=', ownerId), eb('policy_id', '=', policyId)]),
              ),
            ),
          )
          .execute(),
      );
    }
  }

  /**
   * Leases the rows that no other node has leased or evaluated since they were read; one transaction saves commits.
   */
  leaseAll(seen: readonly EvaluationRow[]): Promise<Lease[]> {
    const now = this.#clock.now();
    return this.#store.housekeeping(async (tx) => {
      const leases: Lease[] = [];
      for (const { started_at: before, ...key } of seen) {
        // Strictly increasing even if the clock was set back, to separate the violations of this evaluation from
        // earlier ones.
        const startedAt = Math.max(now, (before ?? 0) + 1);
        const row = await tx
          .updateTable('evaluations')
          .set({ started_at: startedAt, leased_until: now + this.#leaseLength })
          .where((is) => is.and(keyOf(key)))
          .where('leased_until', '<=', now)
          .where('started_at', before === null ? 'is' : '=', before)
          .returningAll()
          .executeTakeFirst();
        if (row) leases.push({ ownerId: key.owner_id, policyId: key.policy_id, startedAt, row });
      }
      return leases;
    });
  }

  /** Extends a lease that has waited in the queue. */
  renew(lease: Lease): Promise<void> {
    return this.#store.housekeeping((tx) => this.hold(tx, lease));
  }

  /** Extends and locks the lease until the transaction ends; throws `LeaseLost` if another node took over. */
  async hold(tx: ControlTransaction, { row, startedAt }: Lease): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('evaluations')
      .set({ leased_until: this.#clock.now() + this.#leaseLength })
      .where((is) => is.and(keyOf(row)))
      .where('started_at', '=', startedAt)
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) === 0) throw new LeaseLost('Another node has the lease of the policy now.');
  }

  /** Releases the lease and stores the result; undefined if the lease was lost. */
  async finish(
    tx: ControlTransaction,
    { row, startedAt }: Lease,
    done: EvaluationResult,
  ): Promise<EvaluationRow | undefined> {
    return tx
      .updateTable('evaluations')
      .set({ ...done, finished_at: this.#clock.now(), leased_until: 0, failures: 0, problem: null })
      .where((is) => is.and(keyOf(row)))
      .where('started_at', '=', startedAt)
      .returningAll()
      .executeTakeFirst();
  }

  /** Finishes several evaluations in one transaction. */
  finishAll(
    finished: readonly { readonly lease: Lease; readonly done: EvaluationResult }[],
  ): Promise<(EvaluationRow | undefined)[]> {
    return this.#store.housekeeping(async (tx) => {
      const rows: (EvaluationRow | undefined)[] = [];
      for (const { lease, done } of finished) rows.push(await this.finish(tx, lease, done));
      return rows;
    });
  }

  /** Releases the lease after a failure, with exponential backoff. */
  async fail(lease: Lease, basis: string, problem: string): Promise<EvaluationRow | undefined> {
    const failures = lease.row.failures + 1;
    const delay = Math.min(firstDelay * 2 ** (failures - 1), maxDelay);
    return this.#release(lease, {
      ...{ failures, basis, problem: problem.slice(0, maxProblemLength) },
      due_at: this.#clock.now() + delay,
    });
  }

  /** Releases the lease without a result. */
  abandon(lease: Lease): Promise<EvaluationRow | undefined> {
    return this.#release(lease, {});
  }

  #release({ row, startedAt }: Lease, changes: Partial<EvaluationRow>): Promise<EvaluationRow | undefined> {
    return this.#store.housekeeping((tx) =>
      tx
        .updateTable('evaluations')
        .set({ ...changes, leased_until: 0 })
        .where((is) => is.and(keyOf(row)))
        .where('started_at', '=', startedAt)
        .returningAll()
        .executeTakeFirst(),
    );
  }
}

function keyOf({ owner_id, policy_id, place }: Pick<EvaluationRow, 'owner_id' | 'policy_id' | 'place'>) {
  return { owner_id, policy_id, place };
}
