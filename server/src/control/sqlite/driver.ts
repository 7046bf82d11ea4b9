import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { storeFailure } from '../store-failure.ts';

type Parameter = null | number | bigint | string | Uint8Array;

/** Maximum number of cached prepared statements; the control plane uses a bounded set of SQL strings. */
const maxStatements = 256;

/** Kysely dialect over one synchronous SQLite connection, which is held exclusively. */
export class SqliteDialect implements Dialect {
  readonly #database: DatabaseSyncInstance;

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  createDriver = (): Driver => new SqliteDriver(this.#database);
  createQueryCompiler = () => new SqliteQueryCompiler();
  createAdapter = () => new TransactionalSqliteAdapter();
  createIntrospector: Dialect['createIntrospector'] = (db) => new SqliteIntrospector(db);
}

/** SQLite can roll back schema changes, so a failed or killed migration leaves no trace. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #database: DatabaseSyncInstance;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const previous = this.#last;
    let release = () => {};
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await previous;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    // A writer takes the lock immediately: upgrading from a read lock later could fail.
    await connection.executeQuery(
      CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'),
    );
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
    // All results of this driver arrive in microtasks: without this yield a loop of transactions would starve the event
    // loop.
    await new Promise((resume) => setImmediate(resume));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A failed commit (disk full) has already rolled back.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    this.#database.close();
  }
}

interface Statement {
  readonly statement: StatementSyncInstance;
  /** Column names of its rows; empty if it returns none. */
  readonly names: readonly string[];
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #statements = new Map<string, Statement>();

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return this.#run(query);
    } catch (error) {
      throw storeFailure(error);
    }
  }

  #run<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, names } = this.#prepare(query.sql);
    const parameters = query.parameters as Parameter[];
    if (names.length > 0) {
      // Takes half the time of objects built by the driver.
      const rows = statement.all(...parameters) as unknown as unknown[][];
      return { rows: rows.map((values) => objectOf(names, values) as Row) };
    }
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: nothing streams here; long reads go by keyset
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The SQLite connection does not stream: read by keyset.');
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const compiled = this.#database.prepare(sql);
    const statement = { statement: compiled, names: compiled.columns().map(({ name }) => name) };
    if (statement.names.length > 0) compiled.setReturnArrays(true);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size >= maxStatements && !oldest.done) this.#statements.delete(oldest.value);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function objectOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
}
