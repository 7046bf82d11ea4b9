import type { Scanner } from '../control/scan/scanner.ts';
import type { Family } from '../http/family.ts';
import type { Route } from '../http/route.ts';
import type { Clock } from '../platform/clock.ts';
import { readFilters } from '../search/filter.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { recordSchema } from '../telemetry/record-form.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { searchRoutes } from './search-routes.ts';

export interface DatasetRouteDeps {
  readonly telemetry: Telemetry;
  readonly scanner: Scanner;
  readonly clock: Clock;
  readonly family: Family;
}

/** Routes that search a dataset and return its result pages. */
export function datasetRoutes(
  dataset: TelemetryDataset,
  { telemetry, scanner, clock, family }: DatasetRouteDeps,
): Route[] {
  const { path, description, search } = dataset;
  return searchRoutes(
    {
      ...{ path, pages: path, description, record: recordSchema(dataset) },
      ...{ isPaged: search?.isPaged ?? false, isListed: search?.isListed ?? false },
      fieldsFor: (ownerId) => telemetry.fieldsFor(dataset, ownerId),
      search: async (ownerId, request, signal) => {
        const fields = await telemetry.fieldsFor(dataset, ownerId);
        await scanner.checkPatterns(ownerId, readFilters(request.filters, fields), signal);
        const searchQuery = search?.activity ? { ...request, asOf: clock.now() } : request;
        return telemetry.search(dataset, ownerId, searchQuery, signal);
      },
      nextPage: (ownerId, page, signal) => telemetry.nextPage(dataset, ownerId, page, signal),
    },
    { clock, family },
  );
}
