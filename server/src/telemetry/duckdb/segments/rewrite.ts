import { join } from 'node:path';
import type { TelemetryDataset } from '../../dataset.ts';
import { attachSql, type Engine } from '../engine/engine.ts';
import { identifier } from '../sql/sql.ts';
import { order } from './record-order.ts';
import { Segment } from './segment.ts';
import { fileNameOf, type SegmentFile, type SegmentForm } from './segment-file.ts';
import { createTableSql } from './table-sql.ts';
import { finish, removeFile, unfinishedSuffix } from './unfinished-file.ts';

/**
 * Writes the rows of a segment into a new file, sorted by account and result order. The file gets its name only
 * when it is complete and on disk.
 */
export async function rewrite(
  engine: Engine,
  directory: string,
  segment: Segment,
  form: SegmentForm,
  datasets: readonly TelemetryDataset[],
): Promise<SegmentFile> {
  const file = { day: segment.day, form, generation: segment.file.generation + 1 };
  const target = new Segment(file);
  const path = join(directory, fileNameOf(file));
  const discard = async () => {
    await engine.use((connection) =>
      connection.run(`detach database if exists ${identifier(target.name).sql}`),
    );
    removeFile(path + unfinishedSuffix);
  };
  await discard();
  const writing = engine.use(async (connection) => {
    await connection.run(attachSql(path + unfinishedSuffix, target.name));
    const tables = await connection.runAndReadAll(
      'select table_name as name from duckdb_tables() where database_name = $name',
      { name: segment.name },
    );
    for (const { name } of tables.getRowObjects() as { name: string }[]) {
      const dataset = datasets.find(({ path }) => path === name);
      const [from, to] = [segment.table(name), target.table(name)];
      if (dataset) {
        await connection.run(createTableSql(target, dataset));
        await connection.run(
          `insert into ${to} by name select * from ${from} order by account, ${order.sql}`,
        );
      } else await connection.run(`create table ${to} as select * from ${from}`);
    }
    // Statements that list all tables begin and end transactions in it, too: it waits for them.
    await connection.run(`force checkpoint ${identifier(target.name).sql}`);
    await connection.run(`detach ${identifier(target.name).sql}`);
  });
  await writing.catch(async (error: unknown) => {
    // The disk may be full, so partial output is removed.
    await discard().catch(() => undefined);
    throw error;
  });
  finish(path);
  return file;
}
