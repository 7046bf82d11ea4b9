import type { Actor } from '../control/actor.ts';
import { findOwned, lockOwned } from '../control/owned-row.ts';
import { checkQuota } from '../control/quota.ts';
import type { ControlStore } from '../control/store.ts';
import type { Scope } from '../identity/scope.ts';
import { changedMembers } from '../integrations/changes.ts';
import type { Clock } from '../platform/clock.ts';
import { newGuid } from '../platform/ids.ts';
import { refuseUnknownChannels } from './channels.ts';
import type { Rule, RuleBody, RuleKind } from './kind.ts';
import { mergedRule, newRule } from './merge.ts';
import { columnsOf, type RuleRecord, type RuleRow, ruleOf, ruleRecord } from './record.ts';

/** The context of a request: the owner's rules of one kind. */
export interface RuleSet {
  readonly scope: Scope;
  readonly kind: RuleKind;
}

export class Rules {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: ControlStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  async list({ scope, kind }: RuleSet): Promise<RuleRecord[]> {
    const rows = await this.#store.read
      .selectFrom('rules')
      .selectAll()
      .where('owner_id', '=', scope.ownerId)
      .where('family', '=', kind.family)
      .orderBy('id')
      .execute();
    return rows.map((row) => ruleRecord(row, kind, scope));
  }

  async get(set: RuleSet, id: string): Promise<RuleRecord> {
    return ruleRecord(await findOwned(this.#store.read, 'rules', keyOf(set, id)), set.kind, set.scope);
  }

  create(actor: Actor, set: RuleSet, given: RuleBody): Promise<RuleRecord> {
    const { kind, scope } = set;
    const rule = newRule(kind, given);
    const row: RuleRow = {
      id: newGuid(scope.name),
      owner_id: scope.ownerId,
      family: kind.family,
      ...columnsOf(rule),
      updated_at: this.#clock.now(),
      updated_by: actor.userName,
    };
    return this.#store.transaction(actor, async (tx, act) => {
      await refuseUnknownChannels(tx, scope, rule.intgGuidList);
      await tx.insertInto('rules').values(row).execute();
      await checkQuota(tx, 'rules', row);
      act.describe(`${kind.family} '${rule.filters.name}' (${row.id})`);
      return ruleRecord(row, kind, scope);
    });
  }

  /** Omitted members are kept, in `filters` and in the report types too. */
  change(actor: Actor, set: RuleSet, id: string, given: RuleBody): Promise<RuleRecord> {
    return this.#write(actor, set, id, given, (present) => mergedRule(set.kind, present, given));
  }

  replace(actor: Actor, set: RuleSet, id: string, given: RuleBody): Promise<RuleRecord> {
    return this.#write(actor, set, id, given, () => newRule(set.kind, given));
  }

  async delete(actor: Actor, set: RuleSet, id: string): Promise<void> {
    await this.#store.transaction(actor, async (tx, act) => {
      const { filters } = ruleOf(await lockOwned(tx, 'rules', keyOf(set, id)));
      await tx.deleteFrom('rules').where('id', '=', id).execute();
      act.describe(`${set.kind.family} '${filters.name}' (${id})`);
    });
  }

  #write(
    actor: Actor,
    { scope, kind }: RuleSet,
    id: string,
    given: RuleBody,
    nextOf: (present: Rule) => Rule,
  ): Promise<RuleRecord> {
    return this.#store.transaction(actor, async (tx, act) => {
      const row = await lockOwned(tx, 'rules', keyOf({ scope, kind }, id));
      const present = ruleOf(row);
      const next = nextOf(present);
      await refuseUnknownChannels(tx, scope, given.intgGuidList ?? [], present.intgGuidList);
      const written: RuleRow = {
        ...row,
        ...columnsOf(next),
        updated_at: this.#clock.now(),
        updated_by: actor.userName,
      };
      await tx.updateTable('rules').set(written).where('id', '=', id).execute();
      await checkQuota(tx, 'rules', written, row);
      const changed = changedMembers(present, next).join(', ') || 'nothing';
      act.describe(`${kind.family} '${next.filters.name}' (${id}): ${changed}`);
      return ruleRecord(written, kind, scope);
    });
  }
}

function keyOf({ scope, kind }: RuleSet, id: string) {
  return { id, owner_id: scope.ownerId, family: kind.family };
}
