import type { Actor } from '../../control/actor.ts';
import { findOwned, lockOwned } from '../../control/owned-row.ts';
import { checkQuota } from '../../control/quota.ts';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Scope } from '../../identity/scope.ts';
import { changedMembers } from '../../integrations/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import { newGuid } from '../../platform/ids.ts';
import { parseInstant } from '../../platform/instant.ts';
import { quoted } from '../../platform/quoted.ts';
import type { Policies } from '../policies/policies.ts';
import type { PolicyRecord } from '../policies/record.ts';
import { checkConstraints } from './constraints.ts';
import type { ExceptionChange, ExceptionCreation } from './form.ts';
import { type ExceptionRecord, type ExceptionRow, exceptionRecord } from './record.ts';

export interface ExceptionDeps {
  readonly store: ControlStore;
  readonly clock: Clock;
  readonly policies: Policies;
}

/** The policy whose exceptions a request addresses. */
export interface ExceptionSet {
  readonly scope: Scope;
  readonly policyId: string;
}

export class Exceptions {
  readonly #deps: ExceptionDeps;

  constructor(deps: ExceptionDeps) {
    this.#deps = deps;
  }

  async list({ scope, policyId }: ExceptionSet): Promise<ExceptionRecord[]> {
    const { store, policies, clock } = this.#deps;
    const policy = await policies.get(scope, policyId);
    const rows = await store.read
      .selectFrom('policy_exceptions')
      .selectAll()
      .where('owner_id', '=', scope.ownerId)
      .where('policy_id', '=', policy.policyId)
      .orderBy('id')
      .execute();
    return rows.map((row) => exceptionRecord(row, clock.now()));
  }

  async get({ scope, policyId }: ExceptionSet, id: string): Promise<ExceptionRecord> {
    const { store, policies, clock } = this.#deps;
    const policy = await policies.get(scope, policyId);
    const key = { id, owner_id: scope.ownerId, policy_id: policy.policyId };
    return exceptionRecord(await findOwned(store.read, 'policy_exceptions', key), clock.now());
  }

  create(actor: Actor, { scope, policyId }: ExceptionSet, body: ExceptionCreation): Promise<ExceptionRecord> {
    const { store, policies } = this.#deps;
    return store.transaction(actor, async (tx, act) => {
      const policy = await policies.lock(tx, scope, policyId);
      const created = await this.createIn(tx, actor, scope, policy, body);
      act.describe(`${created.exceptionId} to ${policy.policyId} '${policy.title}'`);
      return created;
    });
  }

  /** Creates an exception within another transaction, which must hold the lock of the policy. */
  async createIn(
    tx: ControlTransaction,
    { userName }: Actor,
    scope: Scope,
    policy: PolicyRecord,
    body: ExceptionCreation,
  ): Promise<ExceptionRecord> {
    const now = this.#deps.clock.now();
    checkConstraints(policy, body.constraints);
    const row: ExceptionRow = {
      id: newGuid(scope.name),
      owner_id: scope.ownerId,
      policy_id: policy.policyId,
      description: body.description ?? '',
      constraints: JSON.stringify(body.constraints),
      expires_at: readExpiry(body.expiresAt, now) ?? null,
      updated_at: now,
      updated_by: userName,
    };
    await tx.insertInto('policy_exceptions').values(row).execute();
    await checkQuota(tx, 'policy_exceptions', row);
    return exceptionRecord(row, now);
  }

  /** Omitted members keep their values; null removes the expiry. */
  change(
    actor: Actor,
    { scope, policyId }: ExceptionSet,
    id: string,
    body: ExceptionChange,
  ): Promise<ExceptionRecord> {
    const { store, policies, clock } = this.#deps;
    const now = clock.now();
    return store.transaction(actor, async (tx, act) => {
      const policy = await policies.lock(tx, scope, policyId);
      const key = { id, owner_id: scope.ownerId, policy_id: policy.policyId };
      const row = await lockOwned(tx, 'policy_exceptions', key);
      if (body.constraints) checkConstraints(policy, body.constraints, JSON.parse(row.constraints));
      const expires = readExpiry(body.expiresAt, now, row.expires_at);
      const next: ExceptionRow = {
        ...row,
        description: body.description ?? row.description,
        constraints: body.constraints ? JSON.stringify(body.constraints) : row.constraints,
        expires_at: expires === undefined ? row.expires_at : expires,
        updated_at: now,
        updated_by: actor.userName,
      };
      await tx.updateTable('policy_exceptions').set(next).where('id', '=', id).execute();
      await checkQuota(tx, 'policy_exceptions', next, row);
      const changed = changedMembers(writableMembers(row), writableMembers(next)).join(', ') || 'nothing';
      act.describe(`${id} to ${policy.policyId}: ${changed}`);
      return exceptionRecord(next, now);
    });
  }

  async delete(actor: Actor, { scope, policyId }: ExceptionSet, id: string): Promise<void> {
    const { store, policies } = this.#deps;
    await store.transaction(actor, async (tx, act) => {
      const policy = await policies.lock(tx, scope, policyId);
      const key = { id, owner_id: scope.ownerId, policy_id: policy.policyId };
      await lockOwned(tx, 'policy_exceptions', key);
      await tx.deleteFrom('policy_exceptions').where('id', '=', id).execute();
      act.describe(`${id} to ${policy.policyId} '${policy.title}'`);
    });
  }
}

/** Undefined if omitted, null for no expiry. An expiry in the past is accepted only if it is unchanged. */
function readExpiry(
  given: string | null | undefined,
  now: number,
  present: number | null = null,
): number | null | undefined {
  if (given === undefined || given === null) return given;
  const instant = parseInstant(given);
  if (instant === undefined) {
    throw new Refusal(
      'INVALID_INPUT',
      `expiresAt ${quoted(given)} is not a timestamp: write it as 2030-01-31T00:00:00Z.`,
    );
  }
  if (instant > now || instant === present) return instant;
  throw new Refusal('INVALID_INPUT', 'expiresAt is in the past: set a later time, or delete the exception.');
}

/** The members that a change may update, as in the API. */
function writableMembers({ description, constraints, expires_at }: ExceptionRow): object {
  return { description, constraints: JSON.parse(constraints), expiresAt: expires_at };
}
