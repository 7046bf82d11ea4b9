import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { ServedDatasource, Shelf } from './datasource.ts';
import { TelemetryShelf } from './telemetry-shelf.ts';

/** All datasources of the query language. Nothing is read or made before the first question. */
export class DatasourceCatalogue implements Catalogue {
  readonly #shelves: readonly Shelf[];

  constructor({ datasets }: { datasets: readonly TelemetryDataset[] }) {
    this.#shelves = [new TelemetryShelf(datasets)];
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
