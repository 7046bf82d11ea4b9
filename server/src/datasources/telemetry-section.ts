import type { TelemetryDataset } from '../telemetry/dataset.ts';
import type { Datasource } from '../telemetry/datasource.ts';
import { columnsOf } from '../telemetry/query-column.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { knownLinks, type Link, LinkIndex, sameColumn } from './links.ts';
import type { Section } from './section.ts';

const machines = 'LW_HE_MACHINES';

/** The datasources declared by telemetry datasets. */
export class TelemetrySection implements Section {
  readonly #datasets: readonly TelemetryDataset[];
  #links: LinkIndex | undefined;

  constructor(datasets: readonly TelemetryDataset[]) {
    this.#datasets = datasets;
  }

  find(name: string): ServedDatasource | undefined {
    for (const [dataset, declaration] of this.#declarations()) {
      if (declaration.name !== name) continue;
      this.#links ??= new LinkIndex([...knownLinks, ...this.#linksToMachines()]);
      return {
        name,
        description: declaration.description ?? dataset.description,
        columns: columnsOf(dataset, declaration).map(({ name, type, description }) => ({
          name,
          type,
          description,
        })),
        relationships: this.#links.relationshipsOf(name),
        reportedAt: declaration.time[0],
        origin: { from: 'telemetry', dataset, declaration },
      };
    }
    return undefined;
  }

  *names(): Iterable<string> {
    for (const [, { name }] of this.#declarations()) yield name;
  }

  /** Every datasource with a host id is related to the host. */
  *#linksToMachines(): Iterable<Link> {
    for (const [, { name, columns }] of this.#declarations()) {
      if (name === machines || !('MID' in columns)) continue;
      yield {
        from: name,
        to: machines,
        cardinality: ['ONE', 'MANY'],
        subject: 'host',
        on: [sameColumn('MID')],
      };
    }
  }

  *#declarations(): Iterable<readonly [TelemetryDataset, Datasource]> {
    for (const dataset of this.#datasets) {
      for (const datasource of dataset.datasources) yield [dataset, datasource];
    }
  }
}
