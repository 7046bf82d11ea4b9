import type { ControlTransaction } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { GroupedResource } from '../groups/resource.ts';
import { alertRule } from '../rules/alert-rule.ts';
import type { Rule } from '../rules/kind.ts';
import { ruleOf } from '../rules/record.ts';
import { type Severity, severityNumbers } from './alert-message.ts';
import type { Violation } from './finding.ts';
import { rulesContaining } from './rule-groups.ts';
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
  return rulesContaining(tx, candidates, () => [
    ...distinctResources(violations),
    accountResource(owners.account),
  ]);
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
