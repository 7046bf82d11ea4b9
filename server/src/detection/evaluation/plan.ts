import { sql } from 'kysely';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { holds } from '../exceptions/record.ts';
import type { Pack } from '../packs/pack.ts';
import { builtInRecord, type PolicyRecord, policyRecord } from '../policies/record.ts';
import { type Questions, type Task, taskOf } from './task.ts';

export interface PlanParts {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
  readonly questions: Questions;
}

/** What all accounts want judged. */
export class Plan {
  readonly #parts: PlanParts;
  #stamp: number | undefined;
  #digest = '';
  #expiry = Infinity;

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /** All tasks, when somebody decided something since the last time; undefined otherwise, which is found out cheaply. */
  async news(): Promise<Task[] | undefined> {
    const { store, clock } = this.#parts;
    const isOver = clock.now() >= this.#expiry;
    const stamp = store.stamp();
    if (!isOver && stamp !== undefined && stamp === this.#stamp) return undefined;
    const digest = await this.#read();
    this.#stamp = stamp;
    if (!isOver && digest === this.#digest) return undefined;
    const tasks = await this.#tasks();
    this.#digest = digest;
    return tasks;
  }

  /** Another text when a row of one of the tables came, changed or went. */
  async #read(): Promise<string> {
    const tables = {
      accounts: 'created_at',
      policies: 'updated_at',
      built_in_policies: 'updated_at',
      queries: 'updated_at',
      policy_exceptions: 'updated_at',
    };
    const counts = Object.entries(tables).flatMap(([name, column]) => {
      const table = sql.table(name);
      return [
        sql`(select count(*) from ${table}) as ${sql.ref(`count of ${name}`)}`,
        // As text: the moments of five thousand rows add up to more than a number holds.
        sql`(select cast(sum(${sql.ref(column)}) as text) from ${table}) as ${sql.ref(`sum of ${name}`)}`,
      ];
    });
    const { rows } = await sql`select ${sql.join(counts)}`.execute(this.#parts.store.read);
    return JSON.stringify(Object.values(rows[0] as object).map(String));
  }

  async #tasks(): Promise<Task[]> {
    const { store, clock, pack, questions } = this.#parts;
    const db = store.read;
    const now = clock.now();
    const [accounts, own, decided, queries, exceptions] = await Promise.all([
      db.selectFrom('accounts').select('id').orderBy('id').execute(),
      db.selectFrom('policies').selectAll().where('enabled', '=', 1).where('query_id', '<>', '').execute(),
      db.selectFrom('built_in_policies').selectAll().execute(),
      db.selectFrom('queries').select(['owner_id', 'id', 'query_text']).execute(),
      db.selectFrom('policy_exceptions').selectAll().orderBy('id').execute(),
    ]);
    const decidedBy = new Map(decided.map((row) => [`${row.owner_id} ${row.id}`, row]));
    const texts = new Map(queries.map(({ owner_id, id, query_text }) => [`${owner_id} ${id}`, query_text]));
    const holding = exceptions.filter((row) => holds(row, now));
    this.#expiry = Math.min(...holding.map(({ expires_at }) => expires_at ?? Infinity));
    const known = new Set(accounts.map(({ id }) => id));
    const policies: (readonly [ownerId: string, policy: PolicyRecord])[] = [
      ...accounts.flatMap(({ id }) =>
        pack.policies.map(
          (policy) => [id, builtInRecord(policy, decidedBy.get(`${id} ${policy.id}`))] as const,
        ),
      ),
      ...own
        .filter((row) => known.has(row.owner_id))
        .map((row) => [row.owner_id, policyRecord(row)] as const),
    ];
    questions.age();
    return policies.flatMap(([ownerId, policy]) => {
      const queryText = pack.query(policy.queryId)?.text ?? texts.get(`${ownerId} ${policy.queryId}`);
      if (!policy.enabled || policy.policyType === 'Manual' || queryText === undefined) return [];
      const ofPolicy = holding.filter((row) => row.owner_id === ownerId && row.policy_id === policy.policyId);
      return [taskOf({ ownerId, policy, queryText, exceptions: ofPolicy }, questions)];
    });
  }
}
