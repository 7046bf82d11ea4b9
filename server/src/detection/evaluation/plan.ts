import { sql } from 'kysely';
import type { ControlStore } from '../../control/store.ts';
import type { Clock } from '../../platform/clock.ts';
import { grouped } from '../../platform/grouped.ts';
import type { DeletedPolicy } from '../../telemetry/evaluation.ts';
import { isInForce } from '../exceptions/record.ts';
import type { Pack } from '../packs/pack.ts';
import type { BuiltInPolicy } from '../packs/policy.ts';
import { builtInRecord, type PolicyRecord, policyRecord } from '../policies/record.ts';
import { policyDeleted } from './deleted-policy.ts';
import type { PolicyQueries } from './policy-queries.ts';
import { type Task, taskOf } from './task.ts';

export interface PlanDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
  readonly queries: PolicyQueries;
}

type PolicyOfAccount = Pick<Task, 'ownerId' | 'policy' | 'decidedAt'>;

/** The evaluation tasks of all accounts. */
export class Plan {
  readonly #deps: PlanDeps;
  #stamp: number | undefined;
  #digest = '';
  #expiry = Infinity;
  readonly #shipped = new Map<BuiltInPolicy, PolicyRecord>();
  #last: Task[] | undefined;
  #isPrepared = false;

  constructor(deps: PlanDeps) {
    this.#deps = deps;
  }

  /**
   * All tasks if any input changed or a pending query was parsed since the last call; undefined otherwise. The check is
   * cheap.
   */
  async changedTasks(): Promise<Task[] | undefined> {
    const { store, clock, queries: questions } = this.#deps;
    questions.resume();
    if (questions.takeChanged()) this.#isPrepared = true;
    const isExpired = clock.now() >= this.#expiry;
    const stamp = store.stamp();
    if (!isExpired && stamp !== undefined && stamp === this.#stamp) return this.#preparedTasks();
    const digest = await this.#readDigest();
    const isChanged = isExpired || digest !== this.#digest;
    if (isChanged) this.#last = await this.#tasks();
    const tasks = isChanged ? this.#last : this.#preparedTasks();
    // Set last, so that a failed read is repeated.
    this.#digest = digest;
    this.#stamp = stamp;
    return tasks;
  }

  /** The previous tasks, if a pending query was parsed since. */
  #preparedTasks(): Task[] | undefined {
    const tasks = this.#isPrepared ? this.#last : undefined;
    this.#isPrepared = false;
    return tasks;
  }

  /** A digest that changes when a row of the tables is inserted, changed or deleted. */
  async #readDigest(): Promise<string> {
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
        // As text: the sum of the timestamps of five thousand rows exceeds a safe integer.
        sql`(select cast(sum(${sql.ref(column)}) as text) from ${table}) as ${sql.ref(`sum of ${name}`)}`,
      ];
    });
    const deleted = sql`(select count(*) from outbox where topic = ${policyDeleted}) as deleted`;
    const { rows } = await sql`select ${sql.join([...counts, deleted])}`.execute(this.#deps.store.read);
    return JSON.stringify(Object.values(rows[0] as object).map(String));
  }

  async #tasks(): Promise<Task[]> {
    const { store, clock, pack, queries: questions } = this.#deps;
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
    const inForce = exceptions.filter((row) => isInForce(row, now));
    const exceptionsOf = grouped(inForce, (row) => `${row.owner_id} ${row.policy_id}`);
    this.#expiry = Math.min(...inForce.map(({ expires_at }) => expires_at ?? Infinity));
    const since = new Map(accounts.map(({ id, created_at }) => [id, created_at]));
    // A recreated policy waits until the violations of its predecessor are deleted.
    const beingDeleted = new Set(
      deleted.map(({ payload }) => {
        const { ownerId, policyId } = JSON.parse(payload) as DeletedPolicy;
        return `${ownerId} ${policyId}`;
      }),
    );
    const policies: PolicyOfAccount[] = [
      ...accounts.flatMap(({ id }) =>
        pack.policies.map((policy) => {
          const row = decidedBy.get(`${id} ${policy.id}`);
          const record = row ? builtInRecord(policy, row) : this.#shippedRecord(policy);
          return { ownerId: id, policy: record, decidedAt: row?.updated_at };
        }),
      ),
      ...own.map((row) => ({
        ownerId: row.owner_id,
        policy: policyRecord(row),
        decidedAt: Math.max(row.updated_at, saved.get(`${row.owner_id} ${row.query_id}`)?.updated_at ?? 0),
      })),
    ];
    questions.evictUnused();
    const tasks = policies.flatMap(({ ownerId, policy, decidedAt }) => {
      const { text: shipped, scope } = pack.query(policy.queryId) ?? {};
      const own = saved.get(`${ownerId} ${policy.queryId}`)?.query_text;
      // A built-in policy keeps its query even if the account has one with the same id.
      const isBuiltIn = pack.policy(policy.policyId) !== undefined;
      const queryText = isBuiltIn ? shipped : (own ?? shipped);
      const isShipped = queryText === shipped;
      const scopeText = isShipped ? scope : undefined;
      const readsInventory = isBuiltIn && policy.policyType === 'Compliance';
      const accountSince = since.get(ownerId);
      if (!policy.enabled || policy.policyType === 'Manual' || queryText === undefined) return [];
      if (accountSince === undefined || beingDeleted.has(`${ownerId} ${policy.policyId}`)) return [];
      const ofPolicy = exceptionsOf.get(`${ownerId} ${policy.policyId}`) ?? [];
      return [
        {
          ...{ ownerId, policy, queryText, scopeText, isShipped, readsInventory },
          ...{ accountSince, decidedAt, exceptions: ofPolicy },
        },
      ];
    });
    questions.prepare(tasks.map(({ ownerId, queryText: text, isShipped }) => [ownerId, { text, isShipped }]));
    return tasks.map((deps) => taskOf(deps, questions));
  }

  /** One object for all accounts that did not change the policy: there may be hundreds of accounts. */
  #shippedRecord(policy: BuiltInPolicy): PolicyRecord {
    let record = this.#shipped.get(policy);
    if (!record) {
      record = builtInRecord(policy, undefined);
      this.#shipped.set(policy, record);
    }
    return record;
  }
}
