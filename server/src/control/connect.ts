import { Kysely } from 'kysely';
import { openPostgres } from './postgres/open.ts';
import { SqliteDialect } from './sqlite/driver.ts';
import { openForReading, openForWriting } from './sqlite/open.ts';

export type ControlDialect = 'sqlite' | 'postgres';

export function dialectOf(url: string): ControlDialect {
  return url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

export function sqliteFile(url: string): string {
  return url.slice('sqlite:'.length);
}

/** A connection that may write. SQLite has one writer; PostgreSQL has a pool. */
export function connectForWriting<Tables>(url: string, connections = 10): Kysely<Tables> {
  return dialectOf(url) === 'sqlite'
    ? new Kysely<Tables>({ dialect: new SqliteDialect(openForWriting(sqliteFile(url))) })
    : new Kysely<Tables>({ dialect: openPostgres(url, connections).dialect });
}

/** A connection that only reads and sees what is committed. The database must exist. */
export function connectForReading<Tables>(url: string, connections = 2): Kysely<Tables> {
  return dialectOf(url) === 'sqlite'
    ? new Kysely<Tables>({ dialect: new SqliteDialect(openForReading(sqliteFile(url))) })
    : new Kysely<Tables>({ dialect: openPostgres(url, connections).dialect });
}
