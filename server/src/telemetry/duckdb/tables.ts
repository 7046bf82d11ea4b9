import type { Column, ColumnType } from '@vedette/lql/catalogue/catalogue';
import type { Reading, Tables } from '@vedette/lql/compile/tables';
import type { TelemetryDataset } from '../dataset.ts';
import { datasets } from '../datasets.ts';
import type { Datasource } from '../datasource.ts';
import { columnsOf, type QueryColumn } from '../query-column.ts';
import { datasourceSql } from './datasource-sql.ts';
import type { Inventory } from './inventory.ts';
import { inventorySql } from './inventory-sql.ts';
import type { Segments } from './segments.ts';
import { identifier } from './sql.ts';

interface Declared {
  readonly dataset: TelemetryDataset;
  readonly datasource: Datasource;
  readonly columns: ReadonlyMap<string, QueryColumn>;
}

const declared = new Map<string, Declared>(
  datasets.flatMap((dataset) =>
    dataset.datasources.map((datasource): [string, Declared] => {
      const columns = columnsOf(dataset, datasource).map((column) => [column.name, column] as const);
      return [datasource.name, { dataset, datasource, columns: new Map(columns) }];
    }),
  ),
);

const nullTypes: Record<ColumnType, string> = {
  String: 'varchar',
  Number: 'bigint',
  Timestamp: 'bigint',
  Json: 'varchar',
};

/** The datasources as the segments and the inventory have them. Nothing that it names may go away while it is used. */
export class DuckTables implements Tables {
  readonly #segments: Segments;
  readonly #inventory: Inventory;
  /** Later batches are not there for the query. */
  readonly #upTo: number;

  constructor(segments: Segments, inventory: Inventory) {
    this.#segments = segments;
    this.#inventory = inventory;
    this.#upTo = segments.lastSequence;
  }

  rows(reading: Reading): string {
    const rows = reading.datasource.name.startsWith('LW_CFG_')
      ? this.#inventory.isThere && inventorySql(reading)
      : this.#telemetry(reading);
    return rows || nothing(reading.columns);
  }

  #telemetry({ datasource, columns, ...rest }: Reading): string | undefined {
    const found = declared.get(datasource.name);
    if (!found) return undefined;
    const wanted = columns.map(({ name }) => {
      const column = found.columns.get(name);
      if (!column) throw new Error(`${datasource.name} has no column ${name}.`);
      return column;
    });
    return datasourceSql({ ...found, columns: wanted, ...rest, upTo: this.#upTo }, this.#segments);
  }
}

/** Of what nothing was reported. */
function nothing(columns: readonly Column[]): string {
  const shown = columns.map(({ name, type }) => `null::${nullTypes[type]} as ${identifier(name).sql}`);
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} where false`;
}
