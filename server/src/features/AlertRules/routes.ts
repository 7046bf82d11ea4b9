import type { Scanner } from '../../control/scan/scanner.ts';
import { ruleRoutes } from '../../families/rule-routes.ts';
import { alertRule } from '../../rules/alert-rule.ts';
import type { Rules } from '../../rules/rules.ts';

export const alertRuleRoutes = ({ rules, scanner }: { rules: Rules; scanner: Scanner }) =>
  ruleRoutes({
    rules,
    scanner,
    kind: alertRule,
    singular: 'an alert rule',
    plural: 'alert rules',
    title: 'Alert Rule',
    description: 'Rules that route alerts to channels.',
    org: true,
  });
