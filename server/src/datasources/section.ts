import type { ServedDatasource } from '../telemetry/served-datasource.ts';

/** Datasources of one sort, each made when it is asked for. */
export interface Section {
  find(name: string): ServedDatasource | undefined;
  names(): Iterable<string>;
}
