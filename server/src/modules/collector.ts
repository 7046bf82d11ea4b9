import { Collector } from '../collect/schedule/collector.ts';
import { collectorMetrics } from '../collect/schedule/collector-metrics.ts';
import { Scans } from '../collect/schedule/scans.ts';
import { inventoryScanRoutes } from '../features/Inventory/scan.ts';
import { nodeIdOf } from '../platform/node-id.ts';
import type { ControlStoreModule } from './control-store.ts';
import { type Module, type ModuleContext, second } from './module.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface CollectorModuleDeps {
  readonly control: ControlStoreModule;
  readonly telemetry: TelemetryModule;
}

/** Collects the resources of cloud accounts. */
export async function collectorModule(
  { configuration, clock, log }: ModuleContext,
  { control: { store, keyring }, telemetry: { telemetry } }: CollectorModuleDeps,
): Promise<Module> {
  const collector = new Collector({
    ...{ store, keyring, telemetry, clock, log },
    place: nodeIdOf(configuration.VEDETTE_DATA_DIR, true),
    allowsPrivate: configuration.VEDETTE_ALLOW_PRIVATE_TARGETS,
    share: configuration.VEDETTE_COLLECT_SHARE,
  });
  await collector.takeOver();
  return {
    routes: inventoryScanRoutes({ scans: new Scans(store, clock) }),
    jobs: [{ name: 'collections', milliseconds: 5 * second, run: () => collector.poll() }],
    metrics: [() => collectorMetrics(collector)],
    queues: { collections: () => ({ running: collector.running }) },
    stop: () => collector.stop(),
  };
}
