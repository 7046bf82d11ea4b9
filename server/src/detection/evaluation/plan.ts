import { sql } from 'kysely';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { holds } from '../exceptions/record.ts';
import type { Pack } from '../packs/pack.ts';
import { builtInRecord, policyRecord } from '../policies/record.ts';
import { type DeletedPolicy, policyDeleted } from './deleted-policy.ts';
import type { Questions } from './questions.ts';
import { type Task, taskOf } from './task.ts';

export interface PlanDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
  readonly questions: Questions;
}

type Decided = Pick<Task, 'ownerId' | 'policy' | 'decidedAt'>;

/** What all accounts want judged. */
export class Plan {
  readonly #deps: PlanDeps;
  #stamp: number | undefined;
  #digest = '';
  #expiry = Infinity;
  #last: Task[] | undefined;
  #isPrepared = false;

  constructor(deps: PlanDeps) {
    this.#deps = deps;
  }

  /** All tasks, when somebody decided something or a long query was read since the last time; undefined otherwise, which is found out cheaply. */
  async news(): Promise<Task[] | undefined> {
    const { store, clock, questions } = this.#deps;
    questions.resume();
    if (questions.takeNews()) this.#isPrepared = true;
    const isOver = clock.now() >= this.#expiry;
    const stamp = store.stamp();
    if (!isOver && stamp !== undefined && stamp === this.#stamp) return this.#preparedTasks();
    const digest = await this.#read();
    const isNews = isOver || digest !== this.#digest;
    if (isNews) this.#last = await this.#tasks();
    const tasks = isNews ? this.#last : this.#preparedTasks();
    // Not before they were read: what fails is read again.
    this.#digest = digest;
    this.#stamp = stamp;
    return tasks;
  }

  /** The same tasks once more, when the query of one was read meanwhile. */
  #preparedTasks(): Task[] | undefined {
    const tasks = this.#isPrepared ? this.#last : undefined;
    this.#isPrepared = false;
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
    const deleted = sql`(select count(*) from outbox where topic = ${policyDeleted}) as deleted`;
    const { rows } = await sql`select ${sql.join([...counts, deleted])}`.execute(this.#deps.store.read);
    return JSON.stringify(Object.values(rows[0] as object).map(String));
  }

  async #tasks(): Promise<Task[]> {
    const { store, clock, pack, questions } = this.#deps;
    const db = store.read;
    const now = clock.now();
    const [accounts, own, decided, queries, exceptions, deleted] = await Promise.all([
      db.selectFrom('accounts').select(['id', 'created_at']).orderBy('id').execute(),
      db.selectFrom('policies').selectAll().where('enabled', '=', 1).where('query_id', '<>', '').execute(),
      db.selectFrom('built_in_policies').selectAll().execute(),
      db.selectFrom('queries').select(['owner_id', 'id', 'query_text', 'updated_at']).execute(),
      db.selectFrom('policy_exceptions').selectAll().orderBy('id').execute(),
      db.selectFrom('outbox').select('payload').where('topic', '=', policyDeleted).execute(),
    ]);
    const decidedBy = new Map(decided.map((row) => [`${row.owner_id} ${row.id}`, row]));
    const saved = new Map(queries.map((row) => [`${row.owner_id} ${row.id}`, row]));
    const holding = exceptions.filter((row) => holds(row, now));
    this.#expiry = Math.min(...holding.map(({ expires_at }) => expires_at ?? Infinity));
    const since = new Map(accounts.map(({ id, created_at }) => [id, created_at]));
    // A policy that came back under its id waits until what its predecessor found is forgotten.
    const leaving = new Set(
      deleted.map(({ payload }) => {
        const { ownerId, policyId } = JSON.parse(payload) as DeletedPolicy;
        return `${ownerId} ${policyId}`;
      }),
    );
    const policies: Decided[] = [
      ...accounts.flatMap(({ id }) =>
        pack.policies.map((policy) => {
          const row = decidedBy.get(`${id} ${policy.id}`);
          return { ownerId: id, policy: builtInRecord(policy, row), decidedAt: row?.updated_at };
        }),
      ),
      ...own.map((row) => ({
        ownerId: row.owner_id,
        policy: policyRecord(row),
        decidedAt: Math.max(row.updated_at, saved.get(`${row.owner_id} ${row.query_id}`)?.updated_at ?? 0),
      })),
    ];
    questions.age();
    const tasks = policies.flatMap(({ ownerId, policy, decidedAt }) => {
      const shipped = pack.query(policy.queryId)?.text;
      const own = saved.get(`${ownerId} ${policy.queryId}`)?.query_text;
      // A built-in policy keeps its query, whatever the owner calls one of theirs.
      const queryText = pack.policy(policy.policyId) ? shipped : (own ?? shipped);
      const accountSince = since.get(ownerId);
      if (!policy.enabled || policy.policyType === 'Manual' || queryText === undefined) return [];
      if (accountSince === undefined || leaving.has(`${ownerId} ${policy.policyId}`)) return [];
      const ofPolicy = holding.filter((row) => row.owner_id === ownerId && row.policy_id === policy.policyId);
      return [{ ownerId, policy, queryText, accountSince, decidedAt, exceptions: ofPolicy }];
    });
    questions.prepare(tasks.map(({ ownerId, queryText }) => [ownerId, queryText]));
    return tasks.map((deps) => taskOf(deps, questions));
  }
}
