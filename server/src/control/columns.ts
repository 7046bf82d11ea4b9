import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ControlDialect } from './connect.ts';

/** Epoch milliseconds in both databases. */
export type Instant = number;
/** A boolean as 0 or 1 in both databases. */
export type Flag = 0 | 1;

type ColumnSql = RawBuilder<unknown>;

/** Column types of both databases. Text is collated by bytes in both, so that `order by` and ranges agree. */
export interface ColumnTypes {
  readonly text: ColumnSql;
  readonly instant: ColumnSql;
  readonly count: ColumnSql;
  readonly flag: ColumnSql;
}

export function columnTypes(dialect: ControlDialect): ColumnTypes {
  return dialect === 'sqlite'
    ? { text: sql`text`, instant: sql`integer`, count: sql`integer`, flag: sql`integer` }
    : { text: sql`text collate "C"`, instant: sql`bigint`, count: sql`bigint`, flag: sql`smallint` };
}

/** STRICT makes SQLite refuse a string in an integer column, as PostgreSQL does. */
export function createTable(db: Kysely<unknown>, dialect: ControlDialect, name: string) {
  const table = db.schema.createTable(name);
  return dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
}
