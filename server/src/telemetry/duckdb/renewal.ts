import type { DuckDBConnection } from '@duckdb/node-api';
import type { TelemetryDataset } from '../dataset.ts';
import { typedColumns } from './columns.ts';
import type { Segment } from './segment.ts';
import { identifier } from './sql.ts';
import { createTableSql, refillSql } from './table-sql.ts';

/** A table from before a column was declared is made anew from its documents, all of it or nothing. */
export async function renew(
  connection: DuckDBConnection,
  segment: Segment,
  dataset: TelemetryDataset,
): Promise<void> {
  const found = await connection.runAndReadAll(
    'select column_name from duckdb_columns() where database_name = $name and table_name = $path',
    { name: segment.name, path: dataset.path },
  );
  const present = new Set(found.getRowObjects().map(({ column_name }) => column_name));
  if (typedColumns(dataset).every(({ name }) => present.has(name))) return;
  const earlier = segment.table(`${dataset.path} before`);
  await connection.run('begin');
  await connection.run(
    `alter table ${segment.table(dataset.path)} rename to ${identifier(`${dataset.path} before`).sql}`,
  );
  await connection.run(createTableSql(segment, dataset));
  await connection.run(refillSql(dataset, segment.table(dataset.path), earlier));
  await connection.run(`drop table ${earlier}`);
  await connection.run('commit');
}
