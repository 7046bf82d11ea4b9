import { Refusal } from '../platform/errors.ts';
import type { GivenFilters, GivenRule, Rule, RuleFilters, RuleKind } from './kind.ts';

/** A new rule from what its maker gave; the form was checked before. */
export function newRule(kind: RuleKind, given: GivenRule): Rule {
  const empty = { filters: kind.defaults as RuleFilters, intgGuidList: [] };
  return mergedRule(kind, kind.reportTypes ? { ...empty, reportNotificationTypes: {} } : empty, given);
}

/** The rule with each given member in place of its own; what is left out or null stays. */
export function mergedRule(kind: RuleKind, present: Rule, given: GivenRule): Rule {
  const filters = knownFilters(kind, given.filters ?? {});
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

/** The members that this kind has and that say something. */
function knownFilters({ members }: RuleKind, given: GivenFilters): Partial<RuleFilters> {
  const names = ['name', ...Object.keys(members)] as (keyof RuleFilters)[];
  const known = names.filter((name) => given[name] !== undefined && given[name] !== null);
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}
