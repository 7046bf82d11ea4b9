import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DatasourceCatalogue } from '../datasources/catalogue.ts';
import type { CaseResources } from '../detection/packs/resource-case-runner.ts';
import { shippedPacks } from '../detection/packs/shipped-packs.ts';
import { QueryLanguage } from '../querying/language.ts';
import type { CompileWith } from '../telemetry/compiled-query.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { Inventory } from '../telemetry/duckdb/inventory/inventory.ts';
import {
  facts,
  inventoryName,
  prepareTables,
  versionsTable,
} from '../telemetry/duckdb/inventory/inventory-tables.ts';
import { createTextTable, type TextColumn } from '../telemetry/duckdb/inventory/text-columns.ts';
import { typeOf } from '../telemetry/duckdb/query/query-executor.ts';
import { DuckTables } from '../telemetry/duckdb/query/tables.ts';
import type { Segments } from '../telemetry/duckdb/segments/segments.ts';
import type { Resource } from '../telemetry/resource.ts';
import { ManualClock } from './clock.ts';

interface StoredResource {
  readonly account: string;
  readonly kind: string;
  readonly resource: Resource;
}

/**
 * The tables of the inventory in the engine's memory. There are thousands of cases, and the durable
 * store took twenty minutes for them; the statements that read them are the same.
 */
export class CaseInventory implements CaseResources {
  readonly language = new QueryLanguage(new DatasourceCatalogue({ datasets, packs: shippedPacks() }));
  readonly at = new ManualClock().now();
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #tables = new DuckTables({ lastSequence: 0 } as Segments, { exists: true } as Inventory);
  #lastId = 0;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(): Promise<CaseInventory> {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '512MB', threads: '2' });
    const connection = await instance.connect();
    await connection.run(`attach ':memory:' as ${inventoryName}`);
    await prepareTables(connection);
    return new CaseInventory(instance, connection);
  }

  async store(rows: readonly StoredResource[]): Promise<void> {
    const first = this.#lastId + 1;
    this.#lastId += rows.length;
    const since = this.at - 86_400_000;
    const columns: Record<string, TextColumn<StoredResource>> = {
      id: ['bigint', (_, n) => first + n],
      account: ['varchar', ({ account }) => account],
      kind: ['varchar', ({ kind }) => kind],
      cloud_account: ['varchar', ({ resource }) => resource.facts.ACCOUNT_ID ?? ''],
      region: ['varchar', ({ resource }) => resource.facts.RESOURCE_REGION ?? ''],
      key: ['varchar', ({ resource }) => resource.key],
      digest: ['varchar', () => ''],
      config: ['document', ({ resource }) => resource.config],
      tags: ['document', ({ resource }) => resource.tags],
      since: ['bigint', () => since],
    };
    for (const fact of facts)
      columns[fact.toLowerCase()] = ['varchar', ({ resource }) => resource.facts[fact]];
    await createTextTable(this.#connection, 'given', rows, columns);
    await this.#connection.run(`insert into ${versionsTable} by name select * from given`);
  }

  async rows(compileWith: CompileWith): Promise<readonly (readonly unknown[])[]> {
    const { sql, parameters } = compileWith(this.#tables);
    const prepared = await this.#connection.prepare(sql);
    try {
      prepared.bind([...parameters], parameters.map(typeOf));
      return (await prepared.runAndReadAll()).getRows();
    } finally {
      prepared.destroySync();
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
