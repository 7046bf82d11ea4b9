import type { Scanner } from '../../control/scan/scanner.ts';
import { ruleRoutes } from '../../families/rule-routes.ts';
import { dataExportRule } from '../../rules/data-export-rule.ts';
import type { Rules } from '../../rules/rules.ts';

export const dataExportRuleRoutes = ({ rules, scanner }: { rules: Rules; scanner: Scanner }) =>
  ruleRoutes({
    rules,
    scanner,
    kind: dataExportRule,
    singular: 'a data export rule',
    plural: 'data export rules',
    title: 'Data Export Rule',
    description: 'Rules that export data to channels.',
    org: true,
    hasReplacement: true,
  });
