import { setImmediate } from 'node:timers/promises';
import type { ControlStore } from '../control/store.ts';
import { membershipOf } from '../groups/membership.ts';
import type { GroupedResource } from '../groups/resource.ts';
import type { ResourceType } from '../groups/resource-types.ts';
import type { Rule } from '../rules/kind.ts';

/** What a rule selects by resource groups. */
export interface GroupFilter {
  readonly ownerId: string;
  readonly filters: Pick<Rule['filters'], 'resourceGroups'>;
}

type Resources = () => readonly GroupedResource[];

/** Databases limit the number of parameters in a statement. */
const batchSize = 500;
/** Milliseconds: a group may have ten thousand values, and an alert ten thousand resources. */
const maxBlockingTime = 10;

/** The resource groups of rules, read and compiled once for any number of resources. */
export class RuleGroups {
  /** Predicates by owner and group. */
  readonly #members = new Map<string, (resource: GroupedResource) => boolean>();
  /** Kept between calls, because many short ones block as long as a single one. */
  #since = performance.now();

  private constructor() {}

  /** Disabled and deleted groups are empty. */
  static async read(db: ControlStore['read'], rules: readonly GroupFilter[]): Promise<RuleGroups> {
    const groups = new RuleGroups();
    const owners = [...new Set(rules.map(({ ownerId }) => ownerId))];
    const ids = [...new Set(rules.flatMap(({ filters }) => filters.resourceGroups ?? []))];
    for (let from = 0; from < ids.length; from += batchSize) {
      const rows = await db
        .selectFrom('resource_groups')
        .select(['id', 'owner_id', 'type', 'query'])
        .where('id', 'in', ids.slice(from, from + batchSize))
        .where('owner_id', 'in', owners)
        .where('enabled', '=', 1)
        .execute();
      for (const { id, owner_id, type, query } of rows)
        groups.#members.set(keyOf(owner_id, id), membershipOf(type as ResourceType, JSON.parse(query)));
    }
    return groups;
  }

  /** Those rules whose groups contain one of the resources; a rule without groups selects everything. */
  async selecting<Selecting extends GroupFilter>(
    rules: readonly Selecting[],
    resourcesFor: Resources,
  ): Promise<Selecting[]> {
    const matching = await this.#matching(resourcesFor);
    return rules.filter(({ ownerId, filters: { resourceGroups = [] } }) => {
      return resourceGroups.length === 0 || resourceGroups.some((group) => matching.has(keyOf(ownerId, group)));
    });
  }

  /** Yields to the event loop between the checks. */
  async #matching(resourcesFor: Resources): Promise<ReadonlySet<string>> {
    const matching = new Set<string>();
    if (this.#members.size === 0) return matching;
    const resources = resourcesFor();
    for (const [key, isMember] of this.#members)
      for (const resource of resources) {
        const isMatch = isMember(resource);
        if (isMatch) matching.add(key);
        if (performance.now() - this.#since >= maxBlockingTime) {
          await setImmediate();
          this.#since = performance.now();
        }
        if (isMatch) break;
      }
    return matching;
  }
}

function keyOf(ownerId: string, group: string): string {
  return `${ownerId} ${group}`;
}
