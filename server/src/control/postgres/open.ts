import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { GuardedPool } from './guarded-pool.ts';

const bigint = 20;

/** Timestamps and counts are below 2^53, so int8 is parsed as a number instead of the driver's string. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigint ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

const statementTimeout = 60_000;

/** `name` is the application name shown in pg_stat_activity. */
export function openPostgres(url: string, connections: number, name = 'vedette'): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeout,
    // For networks that drop packets: otherwise an unanswered query would wait forever.
    query_timeout: statementTimeout + 5_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
  });
  // A dropped idle connection is replaced at the next query; without a listener its error would end the process.
  pool.on('error', () => {});
  // The pool listens only to idle connections. A connection lost in use fails its query, which is sufficient.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool: new GuardedPool(pool) });
}
