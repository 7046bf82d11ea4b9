import { ruleRoutes } from '../../families/rule-routes.ts';
import { reportRule } from '../../rules/report-rule.ts';
import type { Rules } from '../../rules/rules.ts';

export const reportRuleRoutes = ({ rules }: { rules: Rules }) =>
  ruleRoutes({
    rules,
    kind: reportRule,
    singular: 'a report rule',
    plural: 'report rules',
    title: 'Report Rule',
    description: 'Which reports are sent to which channels.',
    org: false,
  });
