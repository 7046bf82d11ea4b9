import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TelemetryDataset } from '../dataset.ts';
import { attachSql, type Engine } from './engine.ts';
import { order } from './scope.ts';
import { Segment } from './segment.ts';
import { fileNameOf, type SegmentFile, type SegmentForm } from './segment-file.ts';
import { identifier } from './sql.ts';
import { createTableSql } from './table-sql.ts';

/** Of a file that is being written; one that is found at the start was left behind by a process that ended. */
export const unfinishedSuffix = '.new';

/**
 * Writes the rows of a segment into a file of their own, those of an account together and in the order of answers. The
 * file has its name only when it is complete and on disk.
 */
export async function rewrite(
  engine: Engine,
  directory: string,
  segment: Segment,
  form: SegmentForm,
  datasets: readonly TelemetryDataset[],
): Promise<SegmentFile> {
  const file = { day: segment.day, form, generation: segment.file.generation + 1 };
  const path = join(directory, fileNameOf(file));
  const unfinished = path + unfinishedSuffix;
  for (const name of [unfinished, `${unfinished}.wal`]) rmSync(name, { force: true });
  await engine.use(async (connection) => {
    const target = new Segment(file);
    await connection.run(attachSql(unfinished, target.name));
    const found = await connection.runAndReadAll(
      'select table_name as name from duckdb_tables() where database_name = $name',
      { name: segment.name },
    );
    for (const { name } of found.getRowObjects() as { name: string }[]) {
      const dataset = datasets.find(({ path }) => path === name);
      const [from, to] = [segment.table(name), target.table(name)];
      if (dataset) {
        await connection.run(createTableSql(target, dataset));
        await connection.run(
          `insert into ${to} by name select * from ${from} order by account, ${order.sql}`,
        );
      } else await connection.run(`create table ${to} as select * from ${from}`);
    }
    await connection.run(`checkpoint ${identifier(target.name).sql}`);
    await connection.run(`detach ${identifier(target.name).sql}`);
  });
  renameSync(unfinished, path);
  syncDirectory(directory);
  return file;
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
