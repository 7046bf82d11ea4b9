import { Refusal } from '../platform/errors.ts';
import type { GivenFilters, Rule, RuleBody, RuleFilters, RuleKind } from './kind.ts';

/** A new rule from a request body that was validated before. */
export function newRule(kind: RuleKind, given: RuleBody): Rule {
  const empty = { filters: kind.defaults as RuleFilters, intgGuidList: [] };
  return mergedRule(kind, kind.reportTypes ? { ...empty, reportNotificationTypes: {} } : empty, given);
}

/** Given members replace the present ones; omitted members are kept. Null empties arrays and is ignored otherwise. */
export function mergedRule(kind: RuleKind, present: Rule, given: RuleBody): Rule {
  const filters = knownFilters(kind, given.filters ?? {}, present);
  const { reportNotificationTypes: types } = present;
  const rule: Rule = {
    filters: { ...present.filters, ...(kind.unify?.(filters, present.filters) ?? filters) },
    intgGuidList: given.intgGuidList ?? present.intgGuidList,
    ...(types && { reportNotificationTypes: { ...types, ...given.reportNotificationTypes } }),
  };
  const problem = kind.check?.(rule);
  if (problem) throw new Refusal('INVALID_INPUT', problem);
  return rule;
}

/** The Go client and Terraform send whole rules, with null for an array that became empty. */
const emptiedByNull: readonly string[] = [
  'resourceGroups',
  'subCategory',
  'eventCategory',
  'category',
  'source',
];

/** The members that this kind of rule has and the request sets. */
function knownFilters({ members }: RuleKind, given: GivenFilters, present: Rule): Partial<RuleFilters> {
  const names = ['name', ...Object.keys(members)] as (keyof RuleFilters)[];
  // Of the two names of the same array, the one with a value counts.
  const categories = given.subCategory ?? given.eventCategory;
  const isEmptied = (name: keyof RuleFilters) =>
    given[name] === null &&
    emptiedByNull.includes(name) &&
    present.filters[name] !== undefined &&
    !(categories && name.endsWith('Category'));
  const values = names.map((name) => [name, isEmptied(name) ? [] : given[name]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}
