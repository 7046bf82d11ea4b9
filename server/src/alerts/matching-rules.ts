import type { ControlStore, ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { membershipOf } from '../groups/membership.ts';
import type { GroupedResource } from '../groups/resource.ts';
import type { ResourceType } from '../groups/resource-types.ts';
import { alertRule } from '../rules/alert-rule.ts';
import type { Rule } from '../rules/kind.ts';
import { ruleOf } from '../rules/record.ts';
import { type Severity, severityNumbers } from './alert-message.ts';
import type { Violation } from './finding.ts';
import { resourcesOf } from './violation-resources.ts';

/** Owners of the rules for an alert: its account and its organization. */
export interface Owners {
  /** Account name. */
  readonly account: string;
  readonly ids: readonly string[];
}

export interface OwnedRule extends Rule {
  readonly id: string;
  readonly ownerId: string;
}

/** Databases limit the number of parameters in a statement. */
const batchSize = 500;

/** The enabled rules that match an alert; an empty or missing filter matches everything. */
export async function matchingRules(
  tx: ControlTransaction,
  alert: Tables['alerts'],
  owners: Owners,
  violations: readonly Violation[],
): Promise<OwnedRule[]> {
  const rows = await tx
    .selectFrom('rules')
    .selectAll()
    .where('owner_id', 'in', owners.ids)
    .where('family', '=', alertRule.family)
    .orderBy('id')
    .execute();
  const candidates = rows
    .map((row) => ({ ...ruleOf(row), id: row.id, ownerId: row.owner_id }))
    .filter((rule) => rule.filters.enabled === 1 && matchesFilters(rule, alert));
  const groups = await matchingGroups(tx, candidates, () => [
    ...distinctResources(violations),
    accountResource(owners.account),
  ]);
  return candidates.filter(({ ownerId, filters: { resourceGroups } }) =>
    matchesFilter(resourceGroups, (group) => groups.has(keyOf(ownerId, group))),
  );
}

function matchesFilters({ filters }: Rule, alert: Tables['alerts']): boolean {
  const { category = '', sub_category = '', source = '' } = JSON.parse(alert.derived_fields);
  const severity = severityNumbers[alert.severity as Severity];
  return (
    matchesFilter(filters.severity, (wanted) => wanted === severity) &&
    matchesFilter(filters.category, (wanted) => wanted === category) &&
    matchesFilter(filters.subCategory, (wanted) => wanted === sub_category) &&
    matchesFilter(filters.source, (wanted) => wanted === source)
  );
}

function matchesFilter<Item>(list: readonly Item[] | undefined, test: (item: Item) => boolean): boolean {
  return list === undefined || list.length === 0 || list.some(test);
}

/** What a rule selects by resource groups. */
export type GroupFilter = Pick<OwnedRule, 'ownerId'> & {
  readonly filters: Pick<Rule['filters'], 'resourceGroups'>;
};

/** Whether the groups of a rule contain one of the resources; without groups, it contains everything. */
export async function isInGroups(
  db: ControlStore['read'],
  rule: GroupFilter,
  resources: readonly GroupedResource[],
): Promise<boolean> {
  const groups = await matchingGroups(db, [rule], () => resources);
  return matchesFilter(rule.filters.resourceGroups, (group) => groups.has(keyOf(rule.ownerId, group)));
}

/** The groups of the rules that contain one of the resources. Disabled and deleted groups are empty. */
async function matchingGroups(
  tx: ControlStore['read'],
  rules: readonly GroupFilter[],
  resourcesFor: () => readonly GroupedResource[],
): Promise<ReadonlySet<string>> {
  const owners = [...new Set(rules.map(({ ownerId }) => ownerId))];
  const ids = [...new Set(rules.flatMap(({ filters }) => filters.resourceGroups ?? []))];
  if (ids.length === 0) return new Set();
  const resources = resourcesFor();
  const matching = new Set<string>();
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await tx
      .selectFrom('resource_groups')
      .select(['id', 'owner_id', 'type', 'query'])
      .where('id', 'in', ids.slice(from, from + batchSize))
      .where('owner_id', 'in', owners)
      .where('enabled', '=', 1)
      .execute();
    for (const { id, owner_id, type, query } of rows) {
      const isMember = membershipOf(type as ResourceType, JSON.parse(query));
      if (await someMatches(resources, isMember)) matching.add(keyOf(owner_id, id));
    }
  }
  return matching;
}

/** Milliseconds: a group may have ten thousand values, and an alert ten thousand resources. */
const maxBlockingTime = 10;

/** Yields to the event loop between the checks. */
async function someMatches(
  resources: readonly GroupedResource[],
  isMember: (resource: GroupedResource) => boolean,
): Promise<boolean> {
  let since = performance.now();
  for (const resource of resources) {
    if (isMember(resource)) return true;
    if (performance.now() - since < maxBlockingTime) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
  return false;
}

/** The distinct resources of the violations. */
export function distinctResources(violations: readonly Violation[]): GroupedResource[] {
  const resources = new Map<string, GroupedResource>();
  for (const resource of violations.flatMap(resourcesOf)) {
    resources.set(JSON.stringify([resource.type, resource.values, [...resource.tags]]), resource);
  }
  return [...resources.values()];
}

/** The account itself, which groups of an organization select. */
export function accountResource(account: string): GroupedResource {
  return { type: 'LW_ACCOUNT', values: { Account: [account] }, tags: new Map() };
}

function keyOf(ownerId: string, group: string): string {
  return `${ownerId} ${group}`;
}
