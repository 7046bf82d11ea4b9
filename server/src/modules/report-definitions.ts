import { shippedPacks } from '../detection/packs/pack.ts';
import { frameworkRoutes } from '../features/Frameworks/routes.ts';
import { reportDefinitionRoutes } from '../features/ReportDefinitions/routes.ts';
import { reportDistributionRoutes } from '../features/ReportDistributions/routes.ts';
import { BuiltInDefinitions } from '../reports/definitions/built-in-definitions.ts';
import { FrameworkList } from '../reports/definitions/framework-list.ts';
import { ReportDefinitions } from '../reports/definitions/report-definitions.ts';
import { ReportDistributions } from '../reports/distributions/report-distributions.ts';
import { Frameworks } from '../reports/frameworks/frameworks.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { PoliciesModule } from './policies.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface ReportDefinitionsModule extends Module {
  readonly frameworks: Frameworks;
  readonly definitions: ReportDefinitions;
}

export interface ReportDefinitionsDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
  readonly policies: PoliciesModule;
}

/** What reports consist of, and where they are sent: built-in frameworks, custom definitions and distributions. */
export function reportDefinitionsModule(
  { clock }: ModuleContext,
  { control: { store }, search: { scanner }, policies: { pack, policies } }: ReportDefinitionsDeps,
): ReportDefinitionsModule {
  const frameworks = new Frameworks(shippedPacks());
  const builtIn = new BuiltInDefinitions({ frameworks, pack });
  const definitions = new ReportDefinitions({ store, clock, policies, builtIn });
  const distributions = new ReportDistributions({ store, clock, builtIn });
  const frameworkList = new FrameworkList({ store, policies, builtIn });
  return {
    frameworks,
    definitions,
    routes: [
      ...reportDefinitionRoutes({ definitions, scanner }),
      ...reportDistributionRoutes({ distributions, scanner }),
      ...frameworkRoutes({ frameworkList }),
    ],
  };
}
