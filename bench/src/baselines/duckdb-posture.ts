import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { TableRead, Tables } from '@vedette/lql/compile/tables';
import type { CompileWith } from '@vedette/server/telemetry/compiled-query';
import { typeOf } from '@vedette/server/telemetry/duckdb/query/query-executor';
import { type Resource, resourceFacts } from '@vedette/server/telemetry/resource';

const facts = Object.keys(resourceFacts);
const columns = ['KEY', 'RESOURCE_CONFIG', 'RESOURCE_TAGS', ...facts];
const aliases: Readonly<Record<string, string>> = { ARN: 'URN', RESOURCE_KEY: 'URN' };
const quoted = (name: string) => `"${name}"`;

/**
 * The queries of policies by the engine alone, over a file with one table for each kind and only present resources.
 */
export class RawPosture implements Tables {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #kinds = new Set<string>();

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(directory: string, limits: { memory: string; threads: number }): Promise<RawPosture> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
    });
    const connection = await instance.connect();
    await connection.run(`attach '${join(directory, 'posture.duckdb')}' as raw (storage_version 'latest')`);
    return new RawPosture(instance, connection);
  }

  async insert(kind: string, resources: readonly Resource[]): Promise<void> {
    this.#kinds.add(kind);
    await this.#connection.run(
      `create table raw.${quoted(kind)} (${columns.map((name) => `${quoted(name)} varchar`).join(', ')})`,
    );
    const value = ({ key, config, tags, facts: known }: Resource, name: string): string | null => {
      if (name === 'KEY') return key;
      if (name === 'RESOURCE_CONFIG') return config;
      if (name === 'RESOURCE_TAGS') return tags ?? null;
      return (known as Readonly<Record<string, string | undefined>>)[name] ?? null;
    };
    await this.#connection.run(
      `insert into raw.${quoted(kind)} select ${columns.map((name) => `unnest($${name})`).join(', ')}`,
      Object.fromEntries(columns.map((name) => [name, listValue(resources.map((one) => value(one, name)))])),
      Object.fromEntries(columns.map((name) => [name, LIST(VARCHAR)])),
    );
  }

  rows({ datasource, columns: wanted }: TableRead): string {
    const shown = wanted.map(({ name, type }) => {
      const column = quoted(aliases[name] ?? name);
      const known = columns.includes(aliases[name] ?? name) ? column : 'null::varchar';
      return `${type === 'Number' ? `try_cast(${known} as bigint)` : known} as ${quoted(name)}`;
    });
    const table = this.#kinds.has(datasource.name) ? `raw.${quoted(datasource.name)}` : undefined;
    const list = shown.length > 0 ? shown.join(', ') : 'true as "-"';
    return table
      ? `select ${list} from ${table}`
      : `select ${list} from raw.${quoted([...this.#kinds][0] ?? '')} where false`;
  }

  /** The rows of a query. */
  async violations(compileWith: CompileWith): Promise<number> {
    return (await this.#run(compileWith, (sql) => sql)).length;
  }

  /** How many resources a policy applies to. */
  async resources(compileWith: CompileWith): Promise<number> {
    const [row] = await this.#run(
      compileWith,
      (sql) => `select count(distinct "RESOURCE_KEY") from (${sql})`,
    );
    return Number(row?.[0]);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #run(compileWith: CompileWith, statement: (sql: string) => string): Promise<readonly unknown[][]> {
    const { sql, parameters } = compileWith(this);
    const prepared = await this.#connection.prepare(statement(sql));
    prepared.bind([...parameters], parameters.map(typeOf));
    const result = await prepared.runAndReadAll();
    prepared.destroySync();
    return result.getRows();
  }
}
