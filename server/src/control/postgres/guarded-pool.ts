import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { StoreUnavailable, storeFailure, unreachable } from '../store-failure.ts';

/** Maximum number of requests that wait for a connection, each up to the connection timeout of the pool. */
const maxWaiting = 1_000;

/** Classifies connection failures as the store being unavailable, and discards failed connections. */
export class GuardedPool implements PostgresPool {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#pool.waitingCount >= maxWaiting)
      throw unreachable(new Error(`${maxWaiting} requests are waiting for a connection`));
    try {
      return new GuardedClient(await this.#pool.connect());
    } catch (error) {
      throw unreachable(error);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

class GuardedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof sql !== 'string')
      throw new Error('The PostgreSQL connection does not stream: read by keyset.');
    return this.#run(sql, parameters);
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(sql, [...parameters]);
    } catch (error) {
      const failure = storeFailure(error);
      this.#isBroken ||= failure instanceof StoreUnavailable && failure.isAway;
      throw failure;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}
