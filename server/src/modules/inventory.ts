import { evaluationSearchRoutes } from '../features/Configs/evaluations.ts';
import { configRoutes } from '../features/Configs/routes.ts';
import { inventorySearchRoutes } from '../features/Inventory/search.ts';
import { inventoryVersionRoutes } from '../features/Inventory/versions.ts';
import { resourceRoutes } from '../features/ingest/resource-routes.ts';
import { ResourceIntake } from '../telemetry/resource-intake.ts';
import type { Module, ModuleContext } from './module.ts';
import type { QueryingModule } from './querying.ts';
import type { RecordSearchModule } from './record-search.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface InventoryDeps {
  readonly telemetry: TelemetryModule;
  readonly querying: QueryingModule;
  readonly search: RecordSearchModule;
}

/** Cloud resources: what collectors send, and what is stored of it. */
export function inventoryModule(
  { clock }: ModuleContext,
  { telemetry: { telemetry }, querying: { catalogue }, search: { scanner } }: InventoryDeps,
): Module {
  const isKind = (name: string) => catalogue.find(name)?.origin.from === 'resources';
  return {
    routes: [
      ...resourceRoutes({ telemetry, intake: new ResourceIntake(), clock, isKind }),
      ...inventorySearchRoutes({ telemetry, scanner, clock }),
      ...inventoryVersionRoutes({ telemetry }),
      ...configRoutes({ telemetry }),
      ...evaluationSearchRoutes({ telemetry, scanner, clock }),
    ],
  };
}
