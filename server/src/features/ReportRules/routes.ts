import type { Scanner } from '../../control/scan/scanner.ts';
import { ruleRoutes } from '../../families/rule-routes.ts';
import { reportRule } from '../../rules/report-rule.ts';
import type { Rules } from '../../rules/rules.ts';

export const reportRuleRoutes = ({ rules, scanner }: { rules: Rules; scanner: Scanner }) =>
  ruleRoutes({
    rules,
    scanner,
    kind: reportRule,
    singular: 'a report rule',
    plural: 'report rules',
    title: 'Report Rule',
    description: 'Rules that send reports to channels.',
    org: false,
  });
