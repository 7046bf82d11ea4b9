import type { ColumnType, Datasource } from '@vedette/lql/catalogue/catalogue';
import type { Bounds, ExtractedType, Path, TableRead, Tables } from '@vedette/lql/compile/tables';
import { stepsOf } from '../../member-tree.ts';
import { columnsOf, type QueryColumn } from '../../query-column.ts';
import type { ServedDatasource, TelemetryOrigin } from '../../served-datasource.ts';
import { collectionsSql } from '../inventory/collections-sql.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { inventorySql } from '../inventory/inventory-sql.ts';
import type { SegmentTable } from '../recovery/damage.ts';
import type { Segments } from '../segments/segments.ts';
import { type TypedColumn, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';
import { isStored } from './column-sql.ts';
import { datasourceSql, segmentsFor } from './datasource-sql.ts';

const nullTypes: Record<ColumnType, string> = {
  String: 'varchar',
  Number: 'bigint',
  Timestamp: 'bigint',
  Json: 'varchar',
};

/** Maps datasources to the tables of the segments and the inventory. The caller pins the segments while it is used. */
export class DuckTables implements Tables {
  readonly #segments: Segments;
  readonly #inventory: Inventory;
  /** The tables that the query reads. */
  readonly used: SegmentTable[] = [];
  /** Later batches are not visible to the query. */
  readonly #upTo: number;

  constructor(segments: Segments, inventory: Inventory) {
    this.#segments = segments;
    this.#inventory = inventory;
    this.#upTo = segments.lastSequence;
  }

  rows(reading: TableRead): string {
    return this.#sourceSql(reading) ?? emptySql(reading);
  }

  extractedTypes(datasource: Datasource, bounds: Bounds): (path: Path) => ExtractedType | undefined {
    const { origin } = datasource as ServedDatasource;
    // In a pair the value depends on the side.
    if (origin.from !== 'telemetry' || origin.declaration.pairs) return () => undefined;
    const { dataset, declaration } = origin;
    const columnAt = extractedColumns(origin);
    const covering = segmentsFor({ dataset, datasource: declaration, bounds }, this.#segments);
    const hasMistyped = covering.some(({ spans }) => spans.get(dataset.path)?.hasMistyped);
    return (path) => {
      const type = columnAt(path)?.type;
      if (type === 'string') return hasMistyped ? 'Text' : 'String';
      if (type === 'integer') return hasMistyped ? 'Text' : 'Number';
      return type === 'boolean' ? 'Text' : undefined;
    };
  }

  hasItems(datasource: Datasource, column: string): boolean {
    const { origin } = datasource as ServedDatasource;
    return (
      origin.from === 'telemetry' && !origin.declaration.pairs && arraySteps(origin, column) !== undefined
    );
  }

  #sourceSql(reading: TableRead): string | undefined {
    const { origin } = reading.datasource as ServedDatasource;
    if (origin.from === 'telemetry') return this.#telemetry(origin, reading);
    if (!this.#inventory.exists) return undefined;
    if (origin.from === 'collections') return collectionsSql(reading);
    return origin.from === 'resources' ? inventorySql(origin, reading) : undefined;
  }

  #telemetry({ dataset, declaration }: TelemetryOrigin, reading: TableRead): string | undefined {
    const { columns, paths = [], items = [], bounds, bind } = reading;
    const declared = new Map(columnsOf(dataset, declaration).map((column) => [column.name, column]));
    const selected = columns.map(({ name }) => {
      const column = declared.get(name);
      if (!column) throw new Error(`${declaration.name} has no column ${name}.`);
      return column;
    });
    const columnAt = extractedColumns({ from: 'telemetry', dataset, declaration });
    const extracted = paths.map(({ as, type, ...path }) => {
      const column = columnAt(path);
      if (!column) throw new Error(`${declaration.name} has no typed column at ${path.column}.`);
      return { as, type, column };
    });
    const arrays = items.map(({ column, as }) => {
      const steps = arraySteps({ from: 'telemetry', dataset, declaration }, column);
      if (!steps) throw new Error(`${declaration.name} has no items of ${column}.`);
      return { steps, as };
    });
    const upTo = this.#upTo;
    const covering = segmentsFor({ dataset, datasource: declaration, bounds }, this.#segments);
    this.used.push(...covering.map((segment) => ({ segment, table: dataset.path })));
    return datasourceSql(
      { dataset, datasource: declaration, columns: selected, extracted, items: arrays, bounds, bind, upTo },
      this.#segments,
    );
  }
}

/** The typed columns of paths below Json columns. */
function extractedColumns(origin: TelemetryOrigin): (path: Path) => TypedColumn | undefined {
  const bySteps = new Map(typedColumns(origin.dataset).map((typed) => [JSON.stringify(typed.steps), typed]));
  const before = new Map<string, readonly string[] | undefined>();
  return ({ column, keys }) => {
    if (!before.has(column)) before.set(column, jsonSteps(origin, column));
    const steps = before.get(column);
    return steps && bySteps.get(JSON.stringify([...steps, ...keys]));
  };
}

/** The path in a record of a Json column whose elements can be read. */
function arraySteps(origin: TelemetryOrigin, column: string): readonly string[] | undefined {
  const steps = jsonSteps(origin, column);
  return steps && steps.length > 0 ? steps : undefined;
}

function jsonSteps({ dataset, declaration }: TelemetryOrigin, name: string): readonly string[] | undefined {
  const column = columnsOf(dataset, declaration).find((each) => each.name === name);
  return column?.type === 'Json' ? stepsTo(column) : undefined;
}

/** The path of a column in a record, if it has exactly one. */
function stepsTo({ source, reads: [read, ...others] }: QueryColumn): readonly string[] | undefined {
  if (isStored(source)) return source.stored === 'record' ? [] : undefined;
  if (!read || others.length > 0 || read.cast) return undefined;
  const [member = '', ...below] = read.path.split('.');
  return below.length === 0 ? [member] : [member, ...stepsOf(below.join('.'))];
}

/** An empty result for a datasource without data. */
function emptySql({ columns, paths = [], items = [] }: TableRead): string {
  const shown = [
    ...columns.map(({ name, type }) => `null::${nullTypes[type]} as ${identifier(name).sql}`),
    ...paths.map(
      ({ as, type }) => `null::${type === 'Number' ? 'bigint' : 'varchar'} as ${identifier(as).sql}`,
    ),
    ...items.map(({ as }) => `null::json[] as ${identifier(as).sql}`),
  ];
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} where false`;
}
