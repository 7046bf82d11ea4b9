import type { ServedDatasource } from '../telemetry/served-datasource.ts';

/** A section of the catalogue; datasources are built on lookup. */
export interface Section {
  find(name: string): ServedDatasource | undefined;
  names(): Iterable<string>;
}
