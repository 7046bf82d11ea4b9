import type { DuckDBConnection } from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import type { SnapshotId } from '../../snapshot.ts';

/** JSON allows it only escaped, so that it separates documents. */
const separator = '\u001e';

/** How the values of a column are bound: as a JSON list, or, for long ones, as JSON documents with a separator. */
export type TextColumn<Row> =
  | readonly [type: 'bigint' | 'boolean', value: (row: Row, n: number) => number | boolean | undefined]
  | readonly [type: 'varchar', value: (row: Row, n: number) => string | undefined]
  | readonly [type: 'document', value: (row: Row, n: number) => string | undefined];

/**
 * Rows as one parameter of a statement for each column, and the columns that unnest them. A bound value for each member
 * of a list takes longer than the statement, and its memory is released only by a garbage collection.
 */
export function textColumns<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, TextColumn<Row>>>,
): { readonly columns: string; readonly values: Record<string, string> } {
  const entries = Object.entries(columns);
  return {
    columns: entries.map(([name, [type]]) => `${unnested(name, type)} as ${name}`).join(', '),
    values: Object.fromEntries(entries.map(([name, column]) => [name, textOf(rows, column)])),
  };
}

/** Creates a temporary table of the rows. */
export async function createTextTable<Row>(
  connection: DuckDBConnection,
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, TextColumn<Row>>>,
): Promise<void> {
  const texts = textColumns(rows, columns);
  await connection.run(`create or replace temp table ${name} as select ${texts.columns}`, texts.values);
}

/** The columns that identify snapshots, by their position. */
export const snapshotColumns: Readonly<
  Record<string, TextColumn<{ readonly account: string; readonly id: SnapshotId }>>
> = {
  n: ['bigint', (_, n) => n],
  account: ['varchar', ({ account }) => account],
  kind: ['varchar', ({ id }) => id.kind],
  cloud_account: ['varchar', ({ id }) => id.cloudAccount],
  region: ['varchar', ({ id }) => id.region],
  started: ['bigint', ({ id }) => id.started],
};

function unnested(name: string, type: TextColumn<unknown>[0]): string {
  return type === 'document'
    ? `nullif(unnest(string_split($${name}, chr(${separator.charCodeAt(0)}))), '')`
    : `unnest(from_json($${name}, '["${type}"]'))`;
}

function textOf<Row>(rows: readonly Row[], column: TextColumn<Row>): string {
  const [type, value] = column;
  if (type === 'document') return rows.map((row, n) => documentOf(value(row, n))).join(separator);
  if (type === 'varchar') return JSON.stringify(rows.map((row, n) => value(row, n)?.toWellFormed() ?? null));
  return JSON.stringify(rows.map((row, n) => value(row, n) ?? null));
}

function documentOf(value: string | undefined): string {
  if (value === '' || value?.includes(separator)) throw unreadable();
  return value ?? '';
}

/** A document that is not JSON. */
export function unreadable(): Refusal {
  return new Refusal(
    'INVALID_INPUT',
    'The configuration, tags or keys of a resource are not valid JSON: correct them.',
  );
}
