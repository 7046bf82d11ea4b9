import { Kysely } from 'kysely';
import { SqliteDialect } from './sqlite/driver.ts';
import { openForReading, openForWriting } from './sqlite/open.ts';

export type ControlDialect = 'sqlite' | 'postgres';

export function dialectOf(url: string): ControlDialect {
  return url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

export function sqliteFile(url: string): string {
  return url.slice('sqlite:'.length);
}

/** Opens a read-write connection: a single writer for SQLite, a pool for PostgreSQL. */
export async function connectForWriting<Tables>(url: string, connections = 10): Promise<Kysely<Tables>> {
  if (dialectOf(url) === 'postgres') return connectToPostgres(url, connections);
  return new Kysely<Tables>({ dialect: new SqliteDialect(openForWriting(sqliteFile(url))) });
}

/** Opens a read-only connection to an existing database, which sees committed data. */
export async function connectForReading<Tables>(
  url: string,
  { connections = 2, name }: { readonly connections?: number; readonly name?: string } = {},
): Promise<Kysely<Tables>> {
  if (dialectOf(url) === 'postgres') return connectToPostgres(url, connections, name);
  return new Kysely<Tables>({ dialect: new SqliteDialect(openForReading(sqliteFile(url))) });
}

/** Loads the driver on demand. */
async function connectToPostgres<Tables>(
  url: string,
  connections: number,
  name?: string,
): Promise<Kysely<Tables>> {
  const { openPostgres } = await import('./postgres/open.ts');
  return new Kysely<Tables>({ dialect: openPostgres(url, connections, name) });
}
