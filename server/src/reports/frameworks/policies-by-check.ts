import type { Pack } from '../../detection/packs/pack.ts';
import type { BuiltInPolicy } from '../../detection/packs/policy.ts';
import { grouped } from '../../platform/grouped.ts';

/** The policies of a release by the check they implement. Some checks need one policy for each kind of resource. */
export class PoliciesByCheck {
  readonly #policies: ReadonlyMap<string | undefined, readonly BuiltInPolicy[]>;

  constructor({ policies }: Pack) {
    this.#policies = grouped(policies, ({ check }) => check);
  }

  find(check: string): readonly BuiltInPolicy[] {
    return this.#policies.get(check) ?? [];
  }
}
