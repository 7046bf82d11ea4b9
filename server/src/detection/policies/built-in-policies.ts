import { isDeepStrictEqual } from 'node:util';
import { lockOwned, seekOwned } from '../../control/owned-row.ts';
import type { Act, ControlStore, ControlTransaction } from '../../control/store.ts';
import { changedMembers } from '../../integrations/changes.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Pack } from '../packs/pack.ts';
import type { BuiltInPolicy } from '../packs/policy.ts';
import type { PolicyChange } from './form.ts';
import { type ChangeAuthor, flagOf } from './merge.ts';
import { type BuiltInRow, builtInRecord, type PolicyRecord } from './record.ts';
import { readSeverity } from './severity.ts';

/** The built-in policies of every account. Changes by the account are rows; the rest comes with the release. */
export class BuiltInPolicies {
  readonly #store: ControlStore;
  readonly #pack: Pack;

  constructor({ store, pack }: { store: ControlStore; pack: Pack }) {
    this.#store = store;
    this.#pack = pack;
  }

  has(id: string): boolean {
    return this.#pack.policy(id) !== undefined;
  }

  async list(ownerId: string): Promise<PolicyRecord[]> {
    const rows = await this.#store.read
      .selectFrom('built_in_policies')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .execute();
    const decided = new Map(rows.map((row) => [row.id, row]));
    return this.#pack.policies.map((policy) => builtInRecord(policy, decided.get(policy.id)));
  }

  async get(db: ControlStore['read'], ownerId: string, id: string): Promise<PolicyRecord> {
    const row = await seekOwned(db, 'built_in_policies', { id, owner_id: ownerId });
    return builtInRecord(this.#pack.policy(id) as BuiltInPolicy, row);
  }

  /** Changes whether the policy is enabled and its severity; all other members are read-only. */
  async change(
    tx: ControlTransaction,
    act: Pick<Act, 'describe'>,
    ownerId: string,
    id: string,
    body: PolicyChange,
    { by, at }: ChangeAuthor,
  ): Promise<PolicyRecord> {
    const policy = this.#pack.policy(id) as BuiltInPolicy;
    rejectReadOnly(builtInRecord(policy, undefined), body);
    const shipped: BuiltInRow = {
      ...{ id, owner_id: ownerId, severity: policy.severity, updated_at: at, updated_by: by },
      enabled: policy.enabled ? 1 : 0,
      alert_enabled: policy.alertEnabled ? 1 : 0,
    };
    await tx
      .insertInto('built_in_policies')
      .values(shipped)
      .onConflict((conflict) => conflict.columns(['owner_id', 'id']).doNothing())
      .execute();
    const row = await lockOwned(tx, 'built_in_policies', { id, owner_id: ownerId });
    const next: BuiltInRow = {
      ...row,
      severity: body.severity ? readSeverity(body.severity) : row.severity,
      enabled: flagOf(body.enabled) ?? row.enabled,
      alert_enabled: flagOf(body.alertEnabled) ?? row.alert_enabled,
      updated_at: at,
      updated_by: by,
    };
    await tx
      .updateTable('built_in_policies')
      .set(next)
      .where('owner_id', '=', ownerId)
      .where('id', '=', id)
      .execute();
    const [before, record] = [builtInRecord(policy, row), builtInRecord(policy, next)];
    const changed = changedMembers(decided(before), decided(record)).join(', ') || 'nothing';
    act.describe(`${id} '${policy.title}': ${changed}`);
    return record;
  }
}

function decided({ severity, enabled, alertEnabled }: PolicyRecord): object {
  return { severity, enabled, alertEnabled };
}

/** Clients repeat what they read, and one sends empty tags with every change: neither is a change. */
function rejectReadOnly(
  present: PolicyRecord,
  { severity, enabled, alertEnabled, ...others }: PolicyChange,
): void {
  const given = Object.entries(others).filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && !isDeepStrictEqual(value, []),
  );
  const differing = given.find(([name, value]) => !isDeepStrictEqual(value, (present as Values)[name]));
  if (!differing) return;
  throw new Refusal(
    'INVALID_INPUT',
    `${differing[0]} of ${present.policyId} can not be changed: built-in policies only allow changes to enabled, alertEnabled and severity.`,
  );
}

type Values = Readonly<Record<string, unknown>>;
