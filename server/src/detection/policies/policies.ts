import type { Actor } from '../../control/actor.ts';
import { findOwned, lockOwned, seekOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { Act, ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Scope } from '../../identity/scope.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { ParsedQuery } from '../../querying/read-query.ts';
import { deleteEvaluations } from '../evaluation/deleted-policy.ts';
import { constraintFieldsOf } from '../exceptions/keys.ts';
import { keysFor } from '../exceptions/offered-keys.ts';
import type { Pack } from '../packs/pack.ts';
import type { ProfileReferences } from '../profiles/references.ts';
import { type Queries, QueryChanged } from '../queries/queries.ts';
import { BuiltInPolicies } from './built-in-policies.ts';
import type { PolicyChange, PolicyCreation, PolicyLevel } from './form.ts';
import { changedRow, newRow } from './merge.ts';
import { newPolicyId, resolvePolicyId } from './policy-id.ts';
import { type PolicyRecord, type PolicyRow, policyRecord } from './record.ts';

export interface PolicyDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly pack: Pack;
  readonly queries: Queries;
  readonly profiles: ProfileReferences;
}

/** The policies of an account: built-in and custom. */
export class Policies {
  readonly builtIn: BuiltInPolicies;
  readonly #deps: PolicyDeps;

  constructor(deps: PolicyDeps) {
    this.#deps = deps;
    this.builtIn = new BuiltInPolicies(deps);
  }

  async get(scope: Scope, given: string): Promise<PolicyRecord> {
    return this.find(this.#deps.store.read, scope, given);
  }

  /** The policy, built-in or custom, as seen by the transaction or reader. */
  async find(db: ControlStore['read'], scope: Scope, given: string): Promise<PolicyRecord> {
    const id = resolvePolicyId(scope, given);
    if (this.builtIn.has(id)) return this.builtIn.get(db, scope.ownerId, id);
    return policyRecord(await findOwned(db, 'policies', { id, owner_id: scope.ownerId }));
  }

  /** The policy, locked until the transaction ends. */
  async lock(tx: ControlTransaction, scope: Scope, given: string): Promise<PolicyRecord> {
    const id = resolvePolicyId(scope, given);
    if (this.builtIn.has(id)) return this.builtIn.get(tx, scope.ownerId, id);
    return policyRecord(await lockOwned(tx, 'policies', { id, owner_id: scope.ownerId }));
  }

  async create(actor: Actor, scope: Scope, body: PolicyCreation): Promise<PolicyRecord> {
    const { clock } = this.#deps;
    return this.#withQuery(actor, scope, body, async (tx, act, query) => {
      const draft = newRow(scope.ownerId, body, { by: actor.userName, at: clock.now() });
      const configuration = await this.#resolveReferences(tx, scope, body, query);
      const id = await newPolicyId(tx, scope, body.policyId ?? undefined);
      const row: PolicyRow = { ...draft, ...configuration, id };
      const other = await seekOwned(tx, 'policies', { id, owner_id: row.owner_id });
      if (other) throw new Refusal('CONFLICT', `policyId ${id} already exists: choose another one.`);
      await tx.insertInto('policies').values(row).execute();
      await checkQuota(tx, 'policies', row);
      act.describe(`${id} '${row.title}'`);
      return policyRecord(row);
    });
  }

  /** Omitted members keep their values. Built-in policies have few writable members. */
  async change(actor: Actor, scope: Scope, given: string, body: PolicyChange): Promise<PolicyRecord> {
    return this.#withQuery(actor, scope, body, (tx, act, query) =>
      this.#change(tx, act, actor, scope, given, body, { query }),
    );
  }

  /** Changes status and severity of many policies in one transaction. */
  changeMany(actor: Actor, scope: Scope, levels: readonly PolicyLevel[]): Promise<PolicyRecord[]> {
    return this.#deps.store.transaction(actor, async (tx, act) => {
      const sentences: string[] = [];
      const collect = { ...act, describe: (sentence: string) => sentences.push(sentence) };
      const changed = new Map<string, PolicyRecord>();
      // Ordered by id to prevent deadlocks.
      const ordered = levels
        .map(({ policyId, ...level }) => ({ id: resolvePolicyId(scope, policyId), level }))
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      for (const { id, level } of ordered) {
        changed.set(id, await this.#change(tx, collect, actor, scope, id, level, {}));
      }
      act.describe(sentences.join('; '));
      return levels.map(({ policyId }) => changed.get(resolvePolicyId(scope, policyId)) as PolicyRecord);
    });
  }

  async delete(actor: Actor, scope: Scope, given: string): Promise<void> {
    const { store, clock } = this.#deps;
    const key = { id: resolvePolicyId(scope, given), owner_id: scope.ownerId };
    await store.transaction(actor, async (tx, act) => {
      if (this.builtIn.has(key.id)) {
        throw new Refusal('CONFLICT', `${key.id} is built in and can not be deleted: disable it instead.`);
      }
      const { title } = await lockOwned(tx, 'policies', key);
      await tx.deleteFrom('policies').where('owner_id', '=', key.owner_id).where('id', '=', key.id).execute();
      await tx
        .deleteFrom('policy_exceptions')
        .where('owner_id', '=', key.owner_id)
        .where('policy_id', '=', key.id)
        .execute();
      await deleteEvaluations(tx, act, { ownerId: key.owner_id, policyId: key.id }, clock.now());
      act.describe(`${key.id} '${title}' with its exceptions`);
    });
  }

  /** The distinct tags of all policies. */
  async tags(ownerId: string): Promise<string[]> {
    const rows = await this.#deps.store.read
      .selectFrom('policies')
      .select('tags')
      .distinct()
      .where('owner_id', '=', ownerId)
      .execute();
    const own = rows.flatMap(({ tags }) => JSON.parse(tags) as string[]);
    const shipped = this.#deps.pack.policies.flatMap(({ tags }) => tags);
    return [...new Set([...shipped, ...own])].sort();
  }

  async #change(
    tx: ControlTransaction,
    act: Pick<Act, 'describe'>,
    actor: Actor,
    scope: Scope,
    given: string,
    body: PolicyChange,
    { query }: { readonly query?: ParsedQuery | undefined },
  ): Promise<PolicyRecord> {
    const id = resolvePolicyId(scope, given);
    const change = { by: actor.userName, at: this.#deps.clock.now() };
    if (this.builtIn.has(id)) return this.builtIn.change(tx, act, scope.ownerId, id, body, change);
    // References are locked before the policy, as everywhere, to prevent deadlocks.
    const configuration = await this.#resolveReferences(tx, scope, body, query);
    const row = await lockOwned(tx, 'policies', { id, owner_id: scope.ownerId });
    const next: PolicyRow = { ...changedRow(row, body, change), ...configuration };
    await tx
      .updateTable('policies')
      .set(next)
      .where('owner_id', '=', row.owner_id)
      .where('id', '=', id)
      .execute();
    await checkQuota(tx, 'policies', next, row);
    act.describe(
      `${id} '${next.title}': ${changedMembers(writableMembers(row), writableMembers(next)).join(', ') || 'nothing'}`,
    );
    return policyRecord(next);
  }

  /** Parses the referenced query before the transaction, and again if it was changed meanwhile. */
  async #withQuery<Result>(
    actor: Actor,
    scope: Scope,
    body: PolicyChange,
    work: (tx: ControlTransaction, act: Act, query: ParsedQuery | undefined) => Promise<Result>,
    triesLeft = 3,
  ): Promise<Result> {
    const { store, queries } = this.#deps;
    const query = body.queryId ? await queries.prepare(scope.ownerId, body.queryId) : undefined;
    try {
      return await store.transaction(actor, (tx, act) => work(tx, act, query));
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof QueryChanged)) throw error;
      return this.#withQuery(actor, scope, body, work, triesLeft - 1);
    }
  }

  /** Validates the references of the body. The query also determines the exception keys of the policy. */
  async #resolveReferences(
    tx: ControlTransaction,
    { ownerId }: Scope,
    { queryId, alertProfile }: PolicyChange,
    prepared: ParsedQuery | undefined,
  ) {
    const { queries, profiles } = this.#deps;
    const query = queryId ? await queries.require(tx, ownerId, queryId, prepared) : undefined;
    if (alertProfile) await profiles.requireProfile(tx, ownerId, alertProfile);
    return query === undefined ? {} : { exception_configuration: configurationFor(query) };
  }
}

/** The members that a change may update, as in the API. */
function writableMembers(row: PolicyRow): object {
  const { lastUpdateTime, lastUpdateUser, exceptionConfiguration, ...members } = policyRecord(row);
  return members;
}

function configurationFor({ query }: ParsedQuery): string {
  return JSON.stringify({ constraintFields: constraintFieldsOf(keysFor(query)) });
}
