import type { Tables } from '../control/tables.ts';
import type { Scope } from '../identity/scope.ts';
import type { Rule, RuleFilters, RuleKind } from './kind.ts';

export type RuleRow = Tables['rules'];

/** A rule in responses. */
export interface RuleRecord extends Rule {
  readonly mcGuid: string;
  readonly name: string;
  readonly type: string;
  readonly isOrg: 0 | 1;
  readonly filters: RuleFilters & {
    readonly createdOrUpdatedTime: string;
    readonly createdOrUpdatedBy: string;
  };
}

export function ruleOf({ filters, channels, report_types }: RuleRow): Rule {
  return {
    filters: JSON.parse(filters),
    intgGuidList: JSON.parse(channels),
    ...(report_types !== null && { reportNotificationTypes: JSON.parse(report_types) }),
  };
}

/** The columns with the settings. */
export function columnsOf({ filters, intgGuidList, reportNotificationTypes }: Rule) {
  return {
    filters: JSON.stringify(filters),
    channels: JSON.stringify(intgGuidList),
    report_types: reportNotificationTypes ? JSON.stringify(reportNotificationTypes) : null,
  };
}

export function ruleRecord(row: RuleRow, { type, derived }: RuleKind, { isOrganization }: Scope): RuleRecord {
  const rule = ruleOf(row);
  const { filters, ...rest } = rule;
  const changed = { createdOrUpdatedTime: String(row.updated_at), createdOrUpdatedBy: row.updated_by };
  const isOrg = isOrganization ? 1 : 0;
  return {
    ...{ mcGuid: row.id, name: filters.name, type, isOrg, filters: { ...filters, ...changed }, ...rest },
    ...derived?.of(rule),
  };
}
