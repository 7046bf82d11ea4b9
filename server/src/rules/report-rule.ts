import { unifyCategories } from './categories.ts';
import type { RuleKind } from './kind.ts';
import { alertMembers, generalMembers } from './members.ts';
import { reportTypesForm, typeThatNeedsSeverity } from './report-types.ts';

export const reportRule: RuleKind = {
  family: 'ReportRules',
  type: 'Report',
  members: { ...generalMembers, ...alertMembers },
  defaults: { enabled: 1 },
  reportTypes: reportTypesForm,
  unify: unifyCategories,
  check({ filters, reportNotificationTypes }) {
    const type = typeThatNeedsSeverity(reportNotificationTypes);
    if (type === undefined || (filters.severity ?? []).length > 0) return undefined;
    return `filters.severity is required when reportNotificationTypes.${type} is true: add it to the body.`;
  },
};
