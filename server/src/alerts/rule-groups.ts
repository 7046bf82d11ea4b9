import type { ControlStore } from '../control/store.ts';
import { membershipOf } from '../groups/membership.ts';
import type { GroupedResource } from '../groups/resource.ts';
import type { ResourceType } from '../groups/resource-types.ts';
import { LoopSlice } from '../platform/loop-slice.ts';
import type { Rule } from '../rules/kind.ts';

/** What a rule selects by resource groups. */
export interface GroupFilter {
  readonly ownerId: string;
  readonly filters: Pick<Rule['filters'], 'resourceGroups'>;
}

interface CompiledGroup {
  readonly id: string;
  readonly ownerId: string;
  isMember(resource: GroupedResource): boolean;
}

/** Computed only if there are groups. */
type Resources = () => readonly GroupedResource[];

/** Databases limit the number of parameters in a statement. */
const batchSize = 500;

/** The rules whose groups contain one of the resources; a rule without groups contains everything. */
export async function rulesContaining<Filter extends GroupFilter>(
  db: ControlStore['read'],
  rules: readonly Filter[],
  resourcesFor: Resources,
): Promise<Filter[]> {
  const matching = new Set<string>();
  const slice = new LoopSlice();
  let resources: readonly GroupedResource[] | undefined;
  // One by one, because an organization may have more groups than memory should hold compiled.
  for await (const group of groupsOf(db, rules)) {
    resources ??= resourcesFor();
    if (await someMatches(group, resources, slice)) matching.add(keyOf(group.ownerId, group.id));
  }
  return rules.filter(
    ({ ownerId, filters: { resourceGroups = [] } }) =>
      resourceGroups.length === 0 || resourceGroups.some((id) => matching.has(keyOf(ownerId, id))),
  );
}

/** The groups of one rule, read and compiled once to test many items. */
export class RuleGroups {
  readonly #groups: readonly CompiledGroup[];
  readonly #containsAll: boolean;
  readonly #slice = new LoopSlice();

  private constructor(groups: readonly CompiledGroup[], containsAll: boolean) {
    this.#groups = groups;
    this.#containsAll = containsAll;
  }

  static async read(db: ControlStore['read'], rule: GroupFilter): Promise<RuleGroups> {
    const groups: CompiledGroup[] = [];
    for await (const group of groupsOf(db, [rule])) groups.push(group);
    return new RuleGroups(groups, !rule.filters.resourceGroups?.length);
  }

  /** Whether they contain one of the resources; without groups, they contain everything. */
  async contain(resourcesFor: Resources): Promise<boolean> {
    if (this.#containsAll) return true;
    if (this.#groups.length === 0) return false;
    const resources = resourcesFor();
    for (const group of this.#groups) if (await someMatches(group, resources, this.#slice)) return true;
    return false;
  }
}

/** Disabled and deleted groups are empty. */
async function* groupsOf(
  db: ControlStore['read'],
  rules: readonly GroupFilter[],
): AsyncGenerator<CompiledGroup> {
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
      yield { id, ownerId: owner_id, isMember: membershipOf(type as ResourceType, JSON.parse(query)) };
  }
}

/** In slices: a group may have ten thousand values, and an alert ten thousand resources. */
async function someMatches(
  { isMember }: CompiledGroup,
  resources: readonly GroupedResource[],
  slice: LoopSlice,
): Promise<boolean> {
  for (const resource of resources) {
    if (slice.isOver) await slice.next();
    if (isMember(resource)) return true;
  }
  return false;
}

function keyOf(ownerId: string, group: string): string {
  return `${ownerId} ${group}`;
}
