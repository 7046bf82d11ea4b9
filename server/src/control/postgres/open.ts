import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { GuardedPool } from './guarded-pool.ts';

const bigint = 20;

/** Moments and counts are below 2^53, so int8 becomes a number instead of the driver's text. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigint ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

const statementTimeout = 60_000;

/** The name is what the server lists its connections under. */
export function openPostgres(url: string, connections: number, name = 'vedette'): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeout,
    // For a network that swallows packets: without it, a query that nobody answers would wait for ever.
    query_timeout: statementTimeout + 5_000,
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
  });
  // An idle connection that the server drops is replaced at the next query; without a listener it ends the process.
  pool.on('error', () => {});
  // The pool listens only while a connection is idle. One that is lost in use fails its query, which is enough.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool: new GuardedPool(pool) });
}
