import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../engine/engine.ts';
import type { Segment } from './segment.ts';

/** Rows of a full row group, which a checkpoint does not move. */
const fullRowGroup = 122_880;
/** Small tables use whole blocks. */
export const checkpointSlack = 16 * 262_144;

/**
 * The growth of the file by a checkpoint, beyond its write-ahead log. A checkpoint rewrites every row group that is
 * not full and frees the replaced ones only afterwards; free blocks of the file are used first.
 */
export async function checkpointGrowth(connection: DuckDBConnection, segment: Segment): Promise<number> {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjects();
  const name = quoted(segment.name);
  const tables = await rows(`select table_name as name from duckdb_tables() where database_name = ${name}`);
  let rewritten = 0;
  for (const { name: table } of tables) {
    const [usage] =
      await rows(`with parts as (select row_group_id, column_path, count, block_id, additional_block_ids
        from pragma_storage_info(${quoted(segment.table(String(table)))})),
      partial as (select row_group_id from parts where column_path = '[0]' group by all having sum(count) < ${fullRowGroup}),
      moved as (select * from parts where row_group_id in (from partial))
      select count(*) as blocks from (select block_id from moved where block_id >= 0
        union select unnest(additional_block_ids) from moved)`);
    rewritten += Number(usage?.blocks ?? 0);
  }
  const [size] = await rows(
    `select free_blocks, block_size from pragma_database_size() where database_name = ${name}`,
  );
  return (rewritten - Number(size?.free_blocks)) * Number(size?.block_size) + checkpointSlack;
}
