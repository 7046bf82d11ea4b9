import { Type } from 'typebox';
import { unifyCategories } from './categories.ts';
import type { RuleKind } from './kind.ts';
import { alertMembers, generalMembers } from './members.ts';
import { reportTypesForm, typesWithoutReport, typeThatNeedsSeverity } from './report-types.ts';

export const reportRule: RuleKind = {
  family: 'ReportRules',
  type: 'Report',
  members: { ...generalMembers, ...alertMembers },
  defaults: { enabled: 1 },
  reportTypes: reportTypesForm,
  derived: {
    members: {
      unsupportedTypes: Type.Array(Type.String({ maxLength: 200 }), {
        description:
          'Requested reports that do not exist, so that nothing is sent for them; omitted if there are none.',
      }),
    },
    of({ reportNotificationTypes }) {
      const unsupportedTypes = typesWithoutReport(reportNotificationTypes);
      return unsupportedTypes.length > 0 ? { unsupportedTypes } : {};
    },
  },
  unify: unifyCategories,
  check({ filters, reportNotificationTypes }) {
    const type = typeThatNeedsSeverity(reportNotificationTypes);
    if (type === undefined || (filters.severity ?? []).length > 0) return undefined;
    return `filters.severity is required when reportNotificationTypes.${type} is true: add it to the body.`;
  },
};
