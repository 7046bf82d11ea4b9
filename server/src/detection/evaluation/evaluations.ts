import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Clock } from '../../platform/clock.ts';

export type EvaluationRow = Tables['evaluations'];

/** What names one evaluation, at the place that this node holds. */
export interface EvaluationId {
  readonly ownerId: string;
  readonly policyId: string;
}

/** The right to judge a policy, until it is given back or runs out. */
export interface Lease extends EvaluationId {
  /** When it began, later than any before it; nobody else has the same. */
  readonly startedAt: number;
  readonly row: EvaluationRow;
}

/** What an evaluation leaves behind. */
export type EvaluationResult = Pick<EvaluationRow, 'sequence' | 'followed' | 'due_at' | 'counts' | 'basis'>;

/** Somebody else took over: this one was thought dead. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const rowsAtOnce = 200;
const longestProblem = 2_000;
const firstDelay = 5_000;
const longestDelay = 3_600_000;

/** The rows by which nodes agree who judges what and when. */
export class Evaluations {
  readonly place: string;
  readonly #store: Pick<ControlStore, 'read' | 'housekeeping'>;
  readonly #clock: Clock;
  readonly #leaseLength: number;

  constructor(deps: {
    store: Pick<ControlStore, 'read' | 'housekeeping'>;
    clock: Clock;
    place: string;
    /** Milliseconds after which a node is thought dead. */
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

  /** Ends what the process was at that had this place before: it is dead, for a place has one process at a time. */
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
   * Makes rows for what had none. Another node may do the same at the moment. Those of an account are made together: one
   * that has some is not new.
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
        for (let from = 0; from < rows.length; from += rowsAtOnce)
          await tx
            .insertInto('evaluations')
            .values(rows.slice(from, from + rowsAtOnce))
            .onConflict((conflict) => conflict.columns(['owner_id', 'policy_id', 'place']).doNothing())
            .execute();
      });
  }

  /** Forgets how far they were judged. What runs at the moment finds its lease gone. */
  async remove(evaluated: readonly EvaluationId[]): Promise<void> {
    for (let from = 0; from < evaluated.length; from += rowsAtOnce) {
      const some = evaluated.slice(from, from + rowsAtOnce);
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

  /** Those that no other node has, nor has judged since the rows were read. Together, for a commit takes its time. */
  leaseAll(seen: readonly EvaluationRow[]): Promise<Lease[]> {
    const now = this.#clock.now();
    return this.#store.housekeeping(async (tx) => {
      const leases: Lease[] = [];
      for (const { started_at: before, ...key } of seen) {
        // Later than the last time even when the clock was set back: what is found now is told from what was found then.
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

  /** Makes a lease that had to wait last as long as a new one. */
  renew(lease: Lease): Promise<void> {
    return this.#store.housekeeping((tx) => this.hold(tx, lease));
  }

  /** Makes sure within a transaction that nobody else has taken over, nor can before it ends. */
  async hold(tx: ControlTransaction, { row, startedAt }: Lease): Promise<void> {
    const { numUpdatedRows } = await tx
      .updateTable('evaluations')
      .set({ leased_until: this.#clock.now() + this.#leaseLength })
      .where((is) => is.and(keyOf(row)))
      .where('started_at', '=', startedAt)
      .executeTakeFirstOrThrow();
    if (Number(numUpdatedRows) === 0) throw new LeaseLost('Another node judges the policy now.');
  }

  /** Gives the lease back with what was found; undefined when somebody else has it. */
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

  /** The same of several that have nothing else to write. */
  finishAll(
    finished: readonly { readonly lease: Lease; readonly done: EvaluationResult }[],
  ): Promise<(EvaluationRow | undefined)[]> {
    return this.#store.housekeeping(async (tx) => {
      const rows: (EvaluationRow | undefined)[] = [];
      for (const { lease, done } of finished) rows.push(await this.finish(tx, lease, done));
      return rows;
    });
  }

  /** Gives it back without; the next try comes later each time. */
  async fail(lease: Lease, basis: string, problem: string): Promise<EvaluationRow | undefined> {
    const failures = lease.row.failures + 1;
    const delay = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
    return this.#giveBack(lease, {
      ...{ failures, basis, problem: problem.slice(0, longestProblem) },
      due_at: this.#clock.now() + delay,
    });
  }

  /** As if it had not been begun. */
  abandon(lease: Lease): Promise<EvaluationRow | undefined> {
    return this.#giveBack(lease, {});
  }

  #giveBack({ row, startedAt }: Lease, changes: Partial<EvaluationRow>): Promise<EvaluationRow | undefined> {
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
