import { availableParallelism } from 'node:os';
import { ingestRoutes } from '../features/ingest/routes.ts';
import { telemetryRoutes } from '../features/telemetry/routes.ts';
import { accountDeleted } from '../identity/accounts.ts';
import { spillCapOf } from '../platform/configuration.ts';
import { retainedSince } from '../platform/retention.ts';
import { telemetryDirectoryOf } from '../telemetry/stored-telemetry.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { diskMetrics, ingestMetrics, searchMetrics } from '../telemetry/telemetry-metrics.ts';
import type { ControlStoreModule } from './control-store.ts';
import { hour, type Module, type ModuleContext } from './module.ts';

export interface TelemetryModule extends Module {
  readonly telemetry: Telemetry;
}

export async function telemetryModule(
  context: ModuleContext,
  { control }: { readonly control: ControlStoreModule },
): Promise<TelemetryModule> {
  const { configuration, clock, log } = context;
  const { store, keyring } = control;
  const telemetry = await Telemetry.open({
    directory: telemetryDirectoryOf(configuration.VEDETTE_DATA_DIR),
    limits: {
      memory: configuration.VEDETTE_TELEMETRY_MEMORY,
      threads: configuration.VEDETTE_TELEMETRY_THREADS ?? availableParallelism(),
      spill: spillCapOf(configuration),
    },
    diskCap: configuration.VEDETTE_DISK_CAP,
    store,
    keyring,
    clock,
    searchSeconds: configuration.VEDETTE_SEARCH_TIMEOUT,
    log,
  });
  const enforceRetention = async () => {
    await telemetry.deleteBefore(retainedSince(context));
    await telemetry.keepWithinCap();
    await telemetry.compact();
  };
  return {
    telemetry,
    routes: [...ingestRoutes({ intake: telemetry.intake }), ...telemetryRoutes()],
    jobs: [
      { name: 'expired searches', milliseconds: hour, run: () => telemetry.deleteExpired() },
      { name: 'telemetry retention', milliseconds: hour, run: enforceRetention },
    ],
    outbox: {
      [accountDeleted]: ({ accountId }: { accountId: string }) => telemetry.deleteAccount(accountId),
    },
    readiness: [{ name: 'telemetry store', check: () => telemetry.diskReadiness() }],
    metrics: [
      () => ingestMetrics(telemetry.intake),
      () => searchMetrics(telemetry),
      () => diskMetrics(telemetry, store),
    ],
    queues: {
      searches: () => ({ running: telemetry.searches.running, waiting: telemetry.searches.waiting }),
      service_queries: () => telemetry.ownQueries,
    },
    close: () => telemetry.close(),
  };
}
