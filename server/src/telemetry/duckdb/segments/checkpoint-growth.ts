import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../engine/engine.ts';
import type { Segment } from './segment.ts';

/** Rows of a row group that is full: a checkpoint leaves it where it is. */
const fullRowGroup = 122_880;
/** Small tables take whole blocks although they are nearly empty. */
export const checkpointSlack = 16 * 262_144;

/**
 * Bytes by which a checkpoint can make the file larger beyond its write-ahead log. It writes every row group that is not full
 * anew, and those it replaces are free only afterwards; what is free in the file already is used first.
 */
export async function checkpointGrowth(connection: DuckDBConnection, segment: Segment): Promise<number> {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjects();
  const name = quoted(segment.name);
  const tables = await rows(`select table_name as name from duckdb_tables() where database_name = ${name}`);
  let rewritten = 0;
  for (const { name: table } of tables) {
    const [found] =
      await rows(`with parts as (select row_group_id, column_path, count, block_id, additional_block_ids
        from pragma_storage_info(${quoted(segment.table(String(table)))})),
      partial as (select row_group_id from parts where column_path = '[0]' group by all having sum(count) < ${fullRowGroup}),
      moved as (select * from parts where row_group_id in (from partial))
      select count(*) as blocks from (select block_id from moved where block_id >= 0
        union select unnest(additional_block_ids) from moved)`);
    rewritten += Number(found?.blocks ?? 0);
  }
  const [size] = await rows(
    `select free_blocks, block_size from pragma_database_size() where database_name = ${name}`,
  );
  return (rewritten - Number(size?.free_blocks)) * Number(size?.block_size) + checkpointSlack;
}
