import type { DuckDBConnection } from '@duckdb/node-api';
import type { TelemetryDataset } from '../../dataset.ts';
import { sqlTypeOf, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';
import type { Segment } from './segment.ts';
import { createTableSql, refillSql } from './table-sql.ts';

/** Columns of every table. */
const fixed = new Set(['account', 'seq', 'n', 't', 'e', 'odd', 'doc']);

/**
 * Rebuilds a table from its documents, atomically, if its columns or their order differ from the declaration.
 * Integers and timestamps have the same SQL type, so a change between them goes unnoticed: a member must not change
 * from one to the other.
 */
export async function upgradeTable(
  connection: DuckDBConnection,
  segment: Segment,
  dataset: TelemetryDataset,
): Promise<void> {
  const result = await connection.runAndReadAll(
    `select column_name, lower(data_type) from duckdb_columns()
      where database_name = $name and table_name = $path order by column_index`,
    { name: segment.name, path: dataset.path },
  );
  const present = result.getRows().filter(([name]) => !fixed.has(String(name)));
  const declared = typedColumns(dataset).map((column) => [column.name, sqlTypeOf(column)]);
  if (JSON.stringify(present) === JSON.stringify(declared)) return;
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
