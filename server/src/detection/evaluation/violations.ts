import { sql } from 'kysely';
import type { ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Lease } from './evaluations.ts';

/** A row that violates the policy. */
export interface MatchedRow {
  readonly key: string;
  readonly name: string;
  readonly exceptionId: string | undefined;
}

/** Violations of an alert that are resolved or excepted. */
export interface ClearedViolation {
  readonly alertId: number;
  readonly names: readonly string[];
  readonly total: number;
}

/** The first violations without an alert, by key. */
export interface UnalertedViolations {
  readonly total: number;
  /** The last key. */
  readonly last: string;
}

const maxNames = 20;

/** The violations of one policy on one node, within a transaction. */
export class Violations {
  readonly #tx: ControlTransaction;
  readonly #key: Pick<Tables['violations'], 'owner_id' | 'policy_id' | 'place'>;
  readonly #startedAt: number;

  constructor(tx: ControlTransaction, { row: { owner_id, policy_id, place }, startedAt }: Lease) {
    this.#tx = tx;
    this.#key = { owner_id, policy_id, place };
    this.#startedAt = startedAt;
  }

  /**
   * Stores violations; returns the keys that have neither an alert nor an exception. Violations last seen before
   * `expiresBefore` count as new even if their row still exists.
   */
  async record(matched: readonly MatchedRow[], expiresBefore: number): Promise<Set<string>> {
    const rows = new Map(matched.map((each) => [each.key, each]));
    const values = [...rows.values()].map(({ key, name, exceptionId }): Tables['violations'] => ({
      ...this.#key,
      ...{ key, name, alert_id: null, exception_id: exceptionId ?? null },
      ...{ first_at: this.#startedAt, last_at: this.#startedAt },
    }));
    const after = await this.#tx
      .insertInto('violations')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['owner_id', 'policy_id', 'place', 'key']).doUpdateSet({
          last_at: this.#startedAt,
          name: sql`excluded.name`,
          exception_id: sql`excluded.exception_id`,
          // When the exception ends, the violation alerts again.
          alert_id: sql`case when excluded.exception_id is null and violations.last_at >= ${expiresBefore}
            then violations.alert_id end`,
        }),
      )
      .returning(['key', 'alert_id', 'exception_id'])
      .execute();
    const unalerted = after.filter(
      ({ alert_id, exception_id }) => alert_id === null && exception_id === null,
    );
    return new Set(unalerted.map(({ key }) => key));
  }

  /** Those of the keys that are in an alert, before an exception covers them. */
  async alertedAmong(keys: readonly string[]): Promise<ClearedViolation[]> {
    if (keys.length === 0) return [];
    const rows = await this.#own().where('key', 'in', keys).where('alert_id', 'is not', null).execute();
    return byAlert(rows);
  }

  /** Deletes violations that no evaluation has found since `instant`, up to a limit. */
  async deleteBefore(
    instant: number,
    limit: number,
  ): Promise<{ cleared: ClearedViolation[]; total: number }> {
    const rows = await this.#own().where('last_at', '<', instant).limit(limit).execute();
    if (rows.length > 0) {
      await this.#tx
        .deleteFrom('violations')
        .where((is) => is.and(this.#key))
        .where(
          'key',
          'in',
          rows.map(({ key }) => key),
        )
        .execute();
    }
    return { cleared: byAlert(rows), total: rows.length };
  }

  /** Deletes violations that are resolved. */
  async delete(keys: readonly string[]): Promise<{ cleared: ClearedViolation[]; total: number }> {
    const rows = await this.#own().where('key', 'in', keys).execute();
    if (rows.length > 0)
      await this.#tx
        .deleteFrom('violations')
        .where((is) => is.and(this.#key))
        .where('key', 'in', keys)
        .execute();
    return { cleared: byAlert(rows), total: rows.length };
  }

  /** Violations of this evaluation without an alert, up to a limit. */
  async unalerted(limit: number): Promise<UnalertedViolations> {
    const some = this.#unalerted().orderBy('key').limit(limit).as('unalerted');
    const { total, last } = await this.#tx
      .selectFrom(some)
      .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('key').as('last')])
      .executeTakeFirstOrThrow();
    return { total: Number(total), last: last ?? '' };
  }

  /** Links the violations to an alert. */
  async linkToAlert(alertId: number, { last }: UnalertedViolations): Promise<void> {
    await this.#tx
      .updateTable('violations')
      .set({ alert_id: alertId })
      .where((is) => is.and(this.#key))
      .where('last_at', '=', this.#startedAt)
      .where('alert_id', 'is', null)
      .where('exception_id', 'is', null)
      .where('key', '<=', last)
      .execute();
  }

  #own() {
    return this.#tx
      .selectFrom('violations')
      .select(['key', 'name', 'alert_id'])
      .where((is) => is.and(this.#key));
  }

  #unalerted() {
    return this.#tx
      .selectFrom('violations')
      .select('key')
      .where((is) => is.and(this.#key))
      .where('last_at', '=', this.#startedAt)
      .where('alert_id', 'is', null)
      .where('exception_id', 'is', null);
  }
}

function byAlert(
  rows: readonly { readonly name: string; readonly alert_id: number | null }[],
): ClearedViolation[] {
  const namesByAlert = new Map<number, string[]>();
  for (const { name, alert_id: alert } of rows) {
    if (alert === null) continue;
    const names = namesByAlert.get(alert);
    if (names) names.push(name);
    else namesByAlert.set(alert, [name]);
  }
  return [...namesByAlert].map(([alertId, names]) => ({
    alertId,
    names: names.slice(0, maxNames),
    total: names.length,
  }));
}
