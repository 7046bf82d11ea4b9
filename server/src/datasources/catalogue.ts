import type { Catalogue } from '@vedette/lql/catalogue/catalogue';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { CollectionSection } from './collection-section.ts';
import { ResourceSection } from './resource-section.ts';
import type { Section } from './section.ts';
import { TelemetrySection } from './telemetry-section.ts';
import { UnavailableSection } from './unavailable-section.ts';

/** All datasources of the query language, loaded lazily. */
export class DatasourceCatalogue implements Catalogue {
  readonly #sections: readonly Section[];

  constructor({ datasets, packs }: { datasets: readonly TelemetryDataset[]; packs: URL }) {
    this.#sections = [
      new ResourceSection(new URL('datasources/resources.tsv', packs)),
      new CollectionSection(),
      new TelemetrySection(datasets),
      new UnavailableSection(),
    ];
  }

  find(name: string): ServedDatasource | undefined {
    for (const section of this.#sections) {
      const datasource = section.find(name);
      if (datasource) return datasource;
    }
    return undefined;
  }

  *names(): Iterable<string> {
    for (const section of this.#sections) yield* section.names();
  }
}
