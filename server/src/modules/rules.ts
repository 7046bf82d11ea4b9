import { alertRuleRoutes } from '../features/AlertRules/routes.ts';
import { dataExportRuleRoutes } from '../features/DataExportRules/routes.ts';
import { reportRuleRoutes } from '../features/ReportRules/routes.ts';
import { Rules } from '../rules/rules.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface RulesDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
}

export function rulesModule({ clock }: ModuleContext, { control, search }: RulesDeps): Module {
  const { scanner } = search;
  const rules = new Rules({ store: control.store, clock });
  return {
    routes: [
      ...alertRuleRoutes({ rules, scanner }),
      ...dataExportRuleRoutes({ rules, scanner }),
      ...reportRuleRoutes({ rules, scanner }),
    ],
  };
}
