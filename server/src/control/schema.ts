import { Kysely, sql } from 'kysely';
import { StartError } from '../platform/start-error.ts';
import type { ControlDialect } from './connect.ts';
import { migrate, schemaDamaged } from './migrate.ts';
import { SqliteDialect } from './sqlite/driver.ts';
import { openForWriting } from './sqlite/open.ts';

/** The columns of all tables, each as `table.column`. */
export async function columnsOf(db: Kysely<unknown>, dialect: ControlDialect): Promise<Set<string>> {
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select t.name || '.' || c.name as name
          from sqlite_master as t join pragma_table_info(t.name) as c where t.type = 'table'`
      : sql<{ name: string }>`select table_name || '.' || column_name as name
          from information_schema.columns where table_schema = current_schema()`;
  return new Set((await query.execute(db)).rows.map(({ name }) => name));
}

/** Refuses a store that lacks a table or column although its migrations are recorded as complete. */
export async function checkSchema(db: Kysely<unknown>, dialect: ControlDialect): Promise<void> {
  const present = await columnsOf(db, dialect);
  const missing = [...(await declaredColumns())].find((column) => !present.has(column));
  if (missing === undefined) return;
  const [table = ''] = missing.split('.');
  const isTable = ![...present].some((column) => column.startsWith(`${table}.`));
  throw schemaDamaged(isTable ? `table ${table} is missing` : `column ${missing} is missing`);
}

/** The columns that the migrations create: they are the single declaration of the schema. */
async function declaredColumns(): Promise<Set<string>> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect(openForWriting(':memory:')) });
  try {
    await migrate(db, 'sqlite');
    return await columnsOf(db, 'sqlite');
  } finally {
    await db.destroy();
  }
}

/** Refuses an empty store beside existing telemetry: its accounts would be unknown without any sign of an error. */
export function missingStore(store: string, telemetry: string): StartError {
  return new StartError(
    `${store} is missing or empty, but ${telemetry} holds telemetry: put it back from a copy, or correct VEDETTE_CONTROL_URL or VEDETTE_DATA_DIR; to restore a backup or to begin anew, start with VEDETTE_START_EMPTY=1.`,
  );
}
