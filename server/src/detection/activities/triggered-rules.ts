import type { ControlStore } from '../../control/store.ts';
import type { Pack } from '../packs/pack.ts';
import type { Activity, TriggeredRule } from './activity.ts';

export interface TriggeredRulesDeps {
  readonly store: Pick<ControlStore, 'read'>;
  readonly pack: Pick<Pack, 'policy'>;
  readonly place: string;
}

/** More than an hour usually has, unless a policy matches everything. */
const maxViolations = 20_000;

/** The policies that the events of an account violated, by event id. */
export class TriggeredRules {
  readonly #policies: ReadonlyMap<string, readonly string[]>;
  readonly #rules: ReadonlyMap<string, TriggeredRule>;

  private constructor(
    policies: ReadonlyMap<string, readonly string[]>,
    rules: ReadonlyMap<string, TriggeredRule>,
  ) {
    this.#policies = policies;
    this.#rules = rules;
  }

  /** Violations recorded since a time. */
  static async of({ store, pack, place }: TriggeredRulesDeps, ownerId: string, since: number) {
    const violations = await store.read
      .selectFrom('violations')
      .select(['key', 'policy_id'])
      .where('owner_id', '=', ownerId)
      .where('place', '=', place)
      .where('last_at', '>=', since)
      .where('exception_id', 'is', null)
      .limit(maxViolations)
      .execute();
    const own = await store.read
      .selectFrom('policies')
      .select(['id', 'title', 'description', 'severity'])
      .where('owner_id', '=', ownerId)
      .execute();
    const rules = new Map(own.map((rule): [string, TriggeredRule] => [rule.id, rule]));
    const policies = new Map<string, string[]>();
    for (const { key, policy_id } of violations) {
      const builtIn = pack.policy(policy_id);
      if (builtIn) rules.set(policy_id, builtIn);
      policies.set(key, [...(policies.get(key) ?? []), policy_id]);
    }
    return new TriggeredRules(policies, rules);
  }

  triggeredBy({ numbers }: Pick<Activity, 'numbers'>): TriggeredRule[] {
    const ids = new Set(numbers.flatMap((number) => this.#policies.get(number) ?? []));
    return [...ids].sort().flatMap((id) => this.#rules.get(id) ?? []);
  }
}
