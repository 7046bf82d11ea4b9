import { resourceGroupRoutes } from '../features/ResourceGroups/routes.ts';
import { ResourceGroups } from '../groups/resource-groups.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { RecordSearchModule } from './record-search.ts';

export interface ResourceGroupsDeps {
  readonly control: ControlStoreModule;
  readonly search: RecordSearchModule;
}

export function resourceGroupsModule(
  { clock }: ModuleContext,
  { control, search }: ResourceGroupsDeps,
): Module {
  const groups = new ResourceGroups(control.store, clock);
  return { routes: resourceGroupRoutes({ groups, scanner: search.scanner }) };
}
