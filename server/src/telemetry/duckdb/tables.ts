import type { ColumnType, Datasource } from '@vedette/lql/catalogue/catalogue';
import type { Apart, Bounds, Path, Reading, Tables } from '@vedette/lql/compile/tables';
import { stepsOf } from '../member-tree.ts';
import { columnsOf, type QueryColumn } from '../query-column.ts';
import type { ServedDatasource, TelemetryOrigin } from '../served-datasource.ts';
import { isStored } from './column-sql.ts';
import { type TypedColumn, typedColumns } from './columns.ts';
import { datasourceSql, segmentsFor } from './datasource-sql.ts';
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
    return this.#found(reading) ?? nothing(reading);
  }

  apart(datasource: Datasource, path: Path, bounds: Bounds): Apart | undefined {
    const { origin } = datasource as ServedDatasource;
    // Of a pair it depends on the side.
    if (origin.from !== 'telemetry' || origin.declaration.pairs) return undefined;
    const type = apartColumn(origin, path)?.type;
    const { dataset, declaration } = origin;
    const covering = segmentsFor({ dataset, datasource: declaration, bounds }, this.#segments);
    const hasOdd = covering.some(({ spans }) => spans.get(dataset.path)?.hasOdd);
    if (type === 'string') return hasOdd ? 'Text' : 'String';
    if (type === 'integer') return hasOdd ? 'Text' : 'Number';
    return type === 'boolean' ? 'Text' : undefined;
  }

  hasItems(datasource: Datasource, column: string): boolean {
    const { origin } = datasource as ServedDatasource;
    return (
      origin.from === 'telemetry' && !origin.declaration.pairs && listSteps(origin, column) !== undefined
    );
  }

  #found(reading: Reading): string | undefined {
    const { origin } = reading.datasource as ServedDatasource;
    if (origin.from === 'telemetry') return this.#telemetry(origin, reading);
    return origin.from === 'resources' && this.#inventory.isThere ? inventorySql(origin, reading) : undefined;
  }

  #telemetry({ dataset, declaration }: TelemetryOrigin, reading: Reading): string | undefined {
    const { columns, paths = [], items = [], bounds, bind } = reading;
    const declared = new Map(columnsOf(dataset, declaration).map((column) => [column.name, column]));
    const wanted = columns.map(({ name }) => {
      const column = declared.get(name);
      if (!column) throw new Error(`${declaration.name} has no column ${name}.`);
      return column;
    });
    const apart = paths.map(({ as, apart, ...path }) => {
      const column = apartColumn({ from: 'telemetry', dataset, declaration }, path);
      if (!column) throw new Error(`${declaration.name} has nothing apart at ${path.column}.`);
      return { as, apart, column };
    });
    const lists = items.map(({ column, as }) => {
      const steps = listSteps({ from: 'telemetry', dataset, declaration }, column);
      if (!steps) throw new Error(`${declaration.name} has no items of ${column}.`);
      return { steps, as };
    });
    const upTo = this.#upTo;
    return datasourceSql(
      { dataset, datasource: declaration, columns: wanted, apart, items: lists, bounds, bind, upTo },
      this.#segments,
    );
  }
}

/** The typed column that holds what lies under a path of a Json column. */
function apartColumn(origin: TelemetryOrigin, path: Path): TypedColumn | undefined {
  const before = jsonSteps(origin, path.column);
  if (!before) return undefined;
  const steps = [...before, ...path.keys];
  return typedColumns(origin.dataset).find(
    (typed) => typed.steps.length === steps.length && typed.steps.every((step, at) => step === steps[at]),
  );
}

/** Where in a record a Json column lies whose items can be read from there. */
function listSteps(origin: TelemetryOrigin, column: string): readonly string[] | undefined {
  const steps = jsonSteps(origin, column);
  return steps && steps.length > 0 ? steps : undefined;
}

function jsonSteps({ dataset, declaration }: TelemetryOrigin, name: string): readonly string[] | undefined {
  const column = columnsOf(dataset, declaration).find((each) => each.name === name);
  return column?.type === 'Json' ? stepsTo(column) : undefined;
}

/** Where in a record a column lies, where it is one place. */
function stepsTo({ source, reads: [read, ...others] }: QueryColumn): readonly string[] | undefined {
  if (isStored(source)) return source.stored === 'record' ? [] : undefined;
  if (!read || others.length > 0 || read.cast) return undefined;
  const [member = '', ...below] = read.path.split('.');
  return below.length === 0 ? [member] : [member, ...stepsOf(below.join('.'))];
}

/** Of what nothing was reported. */
function nothing({ columns, paths = [], items = [] }: Reading): string {
  const shown = [
    ...columns.map(({ name, type }) => `null::${nullTypes[type]} as ${identifier(name).sql}`),
    ...paths.map(
      ({ as, apart }) => `null::${apart === 'Number' ? 'bigint' : 'varchar'} as ${identifier(as).sql}`,
    ),
    ...items.map(({ as }) => `null::json[] as ${identifier(as).sql}`),
  ];
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'} where false`;
}
