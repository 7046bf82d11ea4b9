import { Refusal } from '../platform/errors.ts';
import type { GivenFilters, GivenRule, Rule, RuleFilters, RuleKind } from './kind.ts';

/** A new rule from what its maker gave; the form was checked before. */
export function newRule(kind: RuleKind, given: GivenRule): Rule {
  const empty = { filters: kind.defaults as RuleFilters, intgGuidList: [] };
  return mergedRule(kind, kind.reportTypes ? { ...empty, reportNotificationTypes: {} } : empty, given);
}

/** The rule with each given member in place of its own; what is left out stays; of what is null only lists are emptied. */
export function mergedRule(kind: RuleKind, present: Rule, given: GivenRule): Rule {
  const filters = knownFilters(kind, given.filters ?? {}, present);
  const { reportNotificationTypes: types } = present;
  const rule: Rule = {
    filters: { ...present.filters, ...(kind.unify?.(filters, present.filters) ?? filters) },
    intgGuidList: given.intgGuidList ?? present.intgGuidList,
    ...(types && { reportNotificationTypes: { ...types, ...given.reportNotificationTypes } }),
  };
  const complaint = kind.check?.(rule);
  if (complaint) throw new Refusal('INVALID_INPUT', complaint);
  return rule;
}

/** The Go client and Terraform send whole rules with null for a list that has nothing in it any more. */
const emptiedByNull: readonly string[] = [
  'resourceGroups',
  'subCategory',
  'eventCategory',
  'category',
  'source',
];

/** The members that this kind has and that say something. */
function knownFilters({ members }: RuleKind, given: GivenFilters, present: Rule): Partial<RuleFilters> {
  const names = ['name', ...Object.keys(members)] as (keyof RuleFilters)[];
  // Of the two names of one list, the one that holds something counts.
  const categories = given.subCategory ?? given.eventCategory;
  const isEmptied = (name: keyof RuleFilters) =>
    given[name] === null &&
    emptiedByNull.includes(name) &&
    present.filters[name] !== undefined &&
    !(categories && name.endsWith('Category'));
  const values = names.map((name) => [name, isEmptied(name) ? [] : given[name]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}
