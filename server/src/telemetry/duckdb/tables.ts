import type { Column, ColumnType } from '@vedette/lql/catalogue/catalogue';
import type { Reading, Tables } from '@vedette/lql/compile/tables';
import { columnsOf } from '../query-column.ts';
import type { ServedDatasource, TelemetryOrigin } from '../served-datasource.ts';
import { datasourceSql } from './datasource-sql.ts';
import type { Inventory } from './inventory.ts';
import { inventorySql } from './inventory-sql.ts';
import type { Segments } from './segments.ts';
import { identifier } from './sql.ts';

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
    return this.#found(reading) ?? nothing(reading.columns);
  }

  #found(reading: Reading): string | undefined {
    const { origin } = reading.datasource as ServedDatasource;
    if (origin.from === 'telemetry') return this.#telemetry(origin, reading);
    return origin.from === 'resources' && this.#inventory.isThere ? inventorySql(origin, reading) : undefined;
  }

  #telemetry({ dataset, declaration }: TelemetryOrigin, reading: Reading): string | undefined {
    const { columns, bounds, bind } = reading;
    const declared = new Map(columnsOf(dataset, declaration).map((column) => [column.name, column]));
    const wanted = columns.map(({ name }) => {
      const column = declared.get(name);
      if (!column) throw new Error(`${declaration.name} has no column ${name}.`);
      return column;
    });
    const upTo = this.#upTo;
    return datasourceSql(
      { dataset, datasource: declaration, columns: wanted, bounds, bind, upTo },
      this.#segments,
    );
  }
}

/** Of what nothing was reported. */
function nothing(columns: readonly Column[]): string {
  const shown = columns.map(({ name, type }) => `null::${nullTypes[type]} as ${identifier(name).sql}`);
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} where false`;
}
