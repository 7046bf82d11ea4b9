import { Exceptions } from '../detection/exceptions/exceptions.ts';
import { Pack, shippedPacks } from '../detection/packs/pack.ts';
import { Policies } from '../detection/policies/policies.ts';
import { AlertProfiles } from '../detection/profiles/alert-profiles.ts';
import { ProfileCatalogue } from '../detection/profiles/catalogue.ts';
import { ProfileReferences } from '../detection/profiles/references.ts';
import { Queries } from '../detection/queries/queries.ts';
import { alertProfileRoutes } from '../features/AlertProfiles/routes.ts';
import { alertTemplateRoutes } from '../features/AlertTemplates/routes.ts';
import { exceptionRoutes } from '../features/Exceptions/routes.ts';
import { policyRoutes } from '../features/Policies/routes.ts';
import { queryRoutes } from '../features/Queries/routes.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { QueryingModule } from './querying.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface PoliciesModule extends Module {
  /** The built-in policies and queries. */
  readonly pack: Pack;
  readonly policies: Policies;
  readonly exceptions: Exceptions;
  readonly profiles: AlertProfiles;
  readonly profileReferences: ProfileReferences;
}

export interface PoliciesDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
  readonly querying: QueryingModule;
}

/** User-defined detection: policies, queries, exceptions and alert profiles. */
export async function policiesModule(
  { clock }: ModuleContext,
  { control: { store }, search: { scanner }, querying }: PoliciesDeps,
): Promise<PoliciesModule> {
  const { language, runner } = querying;
  const pack = await Pack.load(shippedPacks());
  const predefined = ProfileCatalogue.load(shippedPacks());
  const profiles = new AlertProfiles(store, predefined);
  const profileReferences = new ProfileReferences(predefined);
  const queries = new Queries({ store, clock, pack, language });
  const policies = new Policies({ store, clock, pack, queries, profiles: profileReferences });
  const exceptions = new Exceptions({ store, clock, policies });
  return {
    pack,
    policies,
    exceptions,
    profiles,
    profileReferences,
    routes: [
      ...alertProfileRoutes({ profiles, scanner }),
      ...alertTemplateRoutes({ profiles }),
      ...exceptionRoutes({ exceptions, scanner }),
      ...policyRoutes({ policies, scanner }),
      ...queryRoutes({ queries, language, runner, scanner, clock }),
    ],
  };
}
