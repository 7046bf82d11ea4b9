import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { ResourceShelf } from './resource-shelf.ts';
import type { Shelf } from './shelf.ts';
import { TelemetryShelf } from './telemetry-shelf.ts';
import { UnproducedShelf } from './unproduced-shelf.ts';

/** All datasources of the query language. Nothing is read or made before the first question. */
export class DatasourceCatalogue implements Catalogue {
  readonly #shelves: readonly Shelf[];

  constructor({ datasets, packs }: { datasets: readonly TelemetryDataset[]; packs: URL }) {
    this.#shelves = [
      new ResourceShelf(new URL('datasources/resources.tsv', packs)),
      new TelemetryShelf(datasets),
      new UnproducedShelf(),
    ];
  }

  find(name: string): ServedDatasource | undefined {
    for (const shelf of this.#shelves) {
      const found = shelf.find(name);
      if (found) return found;
    }
    return undefined;
  }

  *names(): Iterable<string> {
    for (const shelf of this.#shelves) yield* shelf.names();
  }
}
