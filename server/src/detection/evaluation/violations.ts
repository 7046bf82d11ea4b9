import { sql } from 'kysely';
import type { ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import type { Lease } from './evaluations.ts';

/** What an evaluation found. */
export interface MatchedRow {
  readonly key: string;
  readonly name: string;
  readonly exceptionId: string | undefined;
}

/** Violations that an alert told of and that are none any more. */
export interface ClearedViolation {
  readonly alertId: number;
  readonly names: readonly string[];
  readonly total: number;
}

/** The first violations that wait for an alert, by their keys. */
export interface UnalertedViolations {
  readonly total: number;
  /** The last of their keys. */
  readonly last: string;
}

const mostNames = 20;

/** Violations of one policy at one place, as one evaluation changes them. */
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
   * Takes down what was found; returns the keys of which no alert tells and that no exception exempts. What was found
   * before the moment only is forgotten, though its row may still be there.
   */
  async record(found: readonly MatchedRow[], forgottenBefore: number): Promise<Set<string>> {
    const rows = new Map(found.map((each) => [each.key, each]));
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
          // When the exception ends, the violation is news again.
          alert_id: sql`case when excluded.exception_id is null and violations.last_at >= ${forgottenBefore}
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

  /** Of what is going to be exempt, that of which an alert tells. */
  async alertedAmong(keys: readonly string[]): Promise<ClearedViolation[]> {
    if (keys.length === 0) return [];
    const rows = await this.#own().where('key', 'in', keys).where('alert_id', 'is not', null).execute();
    return byAlert(rows);
  }

  /** Forgets some of those that no evaluation has found since the moment. */
  async forgetBefore(instant: number, most: number): Promise<{ gone: ClearedViolation[]; total: number }> {
    const rows = await this.#own().where('last_at', '<', instant).limit(most).execute();
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
    return { gone: byAlert(rows), total: rows.length };
  }

  /** Some of those that were found just now and wait for an alert. */
  async unalerted(most: number): Promise<UnalertedViolations> {
    const some = this.#unalerted().orderBy('key').limit(most).as('untold');
    const { total, last } = await this.#tx
      .selectFrom(some)
      .select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('key').as('last')])
      .executeTakeFirstOrThrow();
    return { total: Number(total), last: last ?? '' };
  }

  /** Has an alert tell of them. */
  async tell(alertId: number, { last }: UnalertedViolations): Promise<void> {
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
  const told = new Map<number, string[]>();
  for (const { name, alert_id: alert } of rows) {
    if (alert === null) continue;
    const names = told.get(alert);
    if (names) names.push(name);
    else told.set(alert, [name]);
  }
  return [...told].map(([alertId, names]) => ({
    alertId,
    names: names.slice(0, mostNames),
    total: names.length,
  }));
}
