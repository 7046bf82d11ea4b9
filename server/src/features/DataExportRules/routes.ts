import { ruleRoutes } from '../../families/rule-routes.ts';
import { dataExportRule } from '../../rules/data-export-rule.ts';
import type { Rules } from '../../rules/rules.ts';

export const dataExportRuleRoutes = ({ rules }: { rules: Rules }) =>
  ruleRoutes({
    rules,
    kind: dataExportRule,
    singular: 'a data export rule',
    plural: 'data export rules',
    title: 'Data Export Rule',
    description: 'Which data is exported to which channels.',
    org: true,
    hasReplacement: true,
  });
