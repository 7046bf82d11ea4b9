import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Resource } from '@vedette/server/telemetry/resource';

const columns = ['kind', 'region', 'key', 'account', 'type', 'config'] as const;

export interface RawScope {
  readonly kind: string;
  readonly region: string;
  readonly resources: readonly Resource[];
}

/**
 * Durable inserts of resources by the engine alone: one transaction for each kind and region, without validation, and
 * without comparing them with what is stored.
 */
export class RawResources {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(directory: string, limits: { memory: string; threads: number }): Promise<RawResources> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
    });
    const connection = await instance.connect();
    await connection.run(`attach '${join(directory, 'resources.duckdb')}' as raw (storage_version 'latest')`);
    await connection.run(
      `create table raw.resources (${columns.map((name) => `${name} varchar`).join(', ')})`,
    );
    return new RawResources(instance, connection);
  }

  async insert({ kind, region, resources }: RawScope): Promise<void> {
    const values = {
      kind: resources.map(() => kind),
      region: resources.map(() => region),
      key: resources.map(({ key }) => key),
      account: resources.map(({ facts }) => facts.ACCOUNT_ID ?? ''),
      type: resources.map(({ facts }) => facts.RESOURCE_TYPE ?? ''),
      config: resources.map(({ config }) => config),
    };
    await this.#connection.run(
      `insert into raw.resources select ${columns.map((name) => `unnest($${name})`).join(', ')}`,
      Object.fromEntries(columns.map((name) => [name, listValue(values[name])])),
      Object.fromEntries(columns.map((name) => [name, LIST(VARCHAR)])),
    );
  }

  async clear(): Promise<void> {
    await this.#connection.run('truncate raw.resources');
  }

  async count(): Promise<number> {
    const result = await this.#connection.runAndReadAll('select count(*) from raw.resources');
    return Number(result.getRows()[0]?.[0]);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
