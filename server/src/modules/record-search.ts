import { Scanner } from '../control/scan/scanner.ts';
import { datasetFamilyRoutes } from '../features/datasets/routes.ts';
import { faultCheck } from '../features/operations/readiness.ts';
import type { ControlStoreModule } from './control-store.ts';
import type { Module, ModuleContext } from './module.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface RecordSearchModule extends Module {
  readonly scanner: Scanner;
}

export interface RecordSearchDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
}

/** Record search; searches in the control store run in worker threads. */
export function recordSearchModule(
  { configuration, clock }: ModuleContext,
  { control, telemetry: { telemetry } }: RecordSearchDeps,
): RecordSearchModule {
  const scanner = new Scanner(control.store, { seconds: configuration.VEDETTE_SEARCH_TIMEOUT });
  return {
    scanner,
    routes: datasetFamilyRoutes({ telemetry, scanner, clock }),
    readiness: [faultCheck('search threads', () => scanner.pool.fault)],
    queues: { scans: () => ({ running: scanner.pool.running, waiting: scanner.pool.waiting }) },
    close: () => scanner.close(),
  };
}
