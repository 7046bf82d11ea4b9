import type { ControlTransaction } from '../control/store.ts';
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

/** Whose rules decide about an alert: those of its account and of the organization around it. */
export interface Owners {
  /** Name of the account. */
  readonly account: string;
  readonly ids: readonly string[];
}

export interface OwnedRule extends Rule {
  readonly id: string;
  readonly ownerId: string;
}

/** A statement takes some thousands of parameters. */
const atOnce = 500;

/** The enabled rules that an alert matches; a list in a rule that is empty or missing stands for everything. */
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
    .filter((rule) => rule.filters.enabled === 1 && isAbout(rule, alert));
  const groups = await groupsWith(tx, candidates, () => thingsOf(owners, violations));
  return candidates.filter(({ ownerId, filters: { resourceGroups } }) =>
    allows(resourceGroups, (group) => groups.has(keyOf(ownerId, group))),
  );
}

function isAbout({ filters }: Rule, alert: Tables['alerts']): boolean {
  const { category = '', sub_category = '', source = '' } = JSON.parse(alert.derived_fields);
  const severity = severityNumbers[alert.severity as Severity];
  return (
    allows(filters.severity, (wanted) => wanted === severity) &&
    allows(filters.category, (wanted) => wanted === category) &&
    allows(filters.subCategory, (wanted) => wanted === sub_category) &&
    allows(filters.source, (wanted) => wanted === source)
  );
}

function allows<Item>(list: readonly Item[] | undefined, test: (item: Item) => boolean): boolean {
  return list === undefined || list.length === 0 || list.some(test);
}

/** Those groups of the rules that one of the things belongs to. A group that is disabled or gone holds nothing. */
async function groupsWith(
  tx: ControlTransaction,
  rules: readonly OwnedRule[],
  thingsFor: () => readonly GroupedResource[],
): Promise<ReadonlySet<string>> {
  const owners = [...new Set(rules.map(({ ownerId }) => ownerId))];
  const ids = [...new Set(rules.flatMap(({ filters }) => filters.resourceGroups ?? []))];
  if (ids.length === 0) return new Set();
  const things = thingsFor();
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += atOnce) {
    const rows = await tx
      .selectFrom('resource_groups')
      .select(['id', 'owner_id', 'type', 'query'])
      .where('id', 'in', ids.slice(from, from + atOnce))
      .where('owner_id', 'in', owners)
      .where('enabled', '=', 1)
      .execute();
    for (const { id, owner_id, type, query } of rows) {
      const isMember = membershipOf(type as ResourceType, JSON.parse(query));
      if (await holdsForSome(things, isMember)) found.add(keyOf(owner_id, id));
    }
  }
  return found;
}

/** In milliseconds: a group may name ten thousand values, and an alert may be about ten thousand things. */
const longestAtOnce = 10;

/** Lets the event loop go on between the tests. */
async function holdsForSome(
  things: readonly GroupedResource[],
  test: (thing: GroupedResource) => boolean,
): Promise<boolean> {
  let since = performance.now();
  for (const thing of things) {
    if (test(thing)) return true;
    if (performance.now() - since < longestAtOnce) continue;
    await new Promise((turn) => setImmediate(turn));
    since = performance.now();
  }
  return false;
}

/** What the alert is about, each once: a thousand events of one account are one thing to groups. */
function thingsOf({ account }: Owners, violations: readonly Violation[]): GroupedResource[] {
  const things = new Map<string, GroupedResource>();
  for (const thing of violations.flatMap(resourcesOf)) {
    things.set(JSON.stringify([thing.type, thing.values, [...thing.tags]]), thing);
  }
  return [...things.values(), { type: 'LW_ACCOUNT', values: { Account: [account] }, tags: new Map() }];
}

function keyOf(ownerId: string, group: string): string {
  return `${ownerId} ${group}`;
}
