import { cloudAccountRoutes } from '../features/CloudAccounts/routes.ts';
import { containerRegistryRoutes } from '../features/ContainerRegistries/routes.ts';
import { dspmRoutes } from '../features/dspm/routes.ts';
import { IntegrationCatalogue, loadIntegrationTypes } from '../integrations/catalogue.ts';
import { Integrations } from '../integrations/integrations.ts';
import { upgradeLegacyRows } from '../integrations/legacy-rows.ts';
import { ServerTokens } from '../integrations/server-tokens.ts';
import { markMissingCollectors } from '../integrations/state.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface IntegrationsModule extends Module {
  readonly catalogue: IntegrationCatalogue;
  readonly integrations: Integrations;
}

export interface IntegrationsDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
}

/** The routes of alert channels belong to the delivery module, because it tests channels. */
export async function integrationsModule(
  { clock }: ModuleContext,
  { control, search }: IntegrationsDeps,
): Promise<IntegrationsModule> {
  const { store, keyring } = control;
  const { scanner } = search;
  await store.housekeeping((tx) => upgradeLegacyRows(tx, keyring));
  const catalogue = new IntegrationCatalogue(await loadTypes());
  const lacking = catalogue.of('CloudAccounts').filter(({ lacksCollector }) => lacksCollector);
  await store.housekeeping((tx) =>
    markMissingCollectors(
      tx,
      lacking.map(({ type }) => type),
    ),
  );
  const integrations = new Integrations({ store, keyring, clock, catalogue });
  return {
    catalogue,
    integrations,
    routes: [
      ...cloudAccountRoutes({ integrations, catalogue, scanner }),
      ...containerRegistryRoutes({ integrations, catalogue, scanner }),
      ...dspmRoutes({ serverTokens: new ServerTokens(store, catalogue, clock) }),
    ],
  };
}

/** Each type is a folder; new folders are discovered without registration. */
async function loadTypes() {
  const folders = ['../delivery/channels/', '../collect/accounts/', '../collect/registries/'];
  const types = await Promise.all(
    folders.map((folder) => loadIntegrationTypes(new URL(folder, import.meta.url))),
  );
  return types.flat();
}
