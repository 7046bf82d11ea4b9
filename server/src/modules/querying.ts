import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasourceRoutes } from '../features/Datasources/routes.ts';
import { faultCheck } from '../features/operations/readiness.ts';
import { QueryLanguage } from '../querying/language.ts';
import { parserPool } from '../querying/parser-pool.ts';
import { QueryRunner } from '../querying/runner.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { Module, ModuleContext } from './module.ts';
import type { TelemetryModule } from './telemetry.ts';

export interface QueryingModule extends Module {
  readonly catalogue: DatasourceCatalogue;
  readonly language: QueryLanguage;
  /** Runs queries of users. */
  readonly runner: QueryRunner;
  /** Runs queries of the service itself, in a separate queue. */
  readonly serviceRunner: QueryRunner;
}

export function queryingModule(
  { configuration, clock }: ModuleContext,
  { telemetry: { telemetry } }: { readonly telemetry: TelemetryModule },
): QueryingModule {
  const packs = shippedPacks();
  const catalogue = new DatasourceCatalogue({ datasets, packs });
  const threads = parserPool({ packs, seconds: configuration.VEDETTE_SEARCH_TIMEOUT });
  return {
    catalogue,
    language: new QueryLanguage(catalogue, threads),
    runner: new QueryRunner({ telemetry, clock }),
    serviceRunner: new QueryRunner({ telemetry, clock, lane: 'service' }),
    routes: datasourceRoutes({ catalogue }),
    readiness: [faultCheck('query threads', () => threads.fault)],
    queues: { query_texts: () => ({ running: threads.running, waiting: threads.waiting }) },
    close: () => threads.close(),
  };
}
