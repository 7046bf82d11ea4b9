import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export const insertForms = ['string', 'file', 'transformed file'] as const;
export type InsertForm = (typeof insertForms)[number];

const columns = {
  startTime: 'varchar',
  endTime: 'varchar',
  srcEntityType: 'varchar',
  srcEntityId: { mid: 'bigint', pid_hash: 'bigint' },
  dstEntityType: 'varchar',
  dstEntityId: {
    mid: 'bigint',
    pid_hash: 'bigint',
    port: 'bigint',
    protocol: 'varchar',
    ip_addr: 'varchar',
    hostname: 'varchar',
  },
  srcInBytes: 'bigint',
  srcOutBytes: 'bigint',
  dstInBytes: 'bigint',
  dstOutBytes: 'bigint',
  numConns: 'bigint',
} as const;

const flat = Object.entries(columns).flatMap(([name, type]) =>
  typeof type === 'string'
    ? [{ path: name, type }]
    : Object.entries(type).map(([below, type]) => ({ path: `${name}.${below}`, type })),
);
const paths = flat.map(({ path }) => `'$.${path}'`).join(', ');
const instant = (sql: string) => `epoch_ms(${sql}::timestamptz)`;

/**
 * Durable inserts of batches by the engine alone: one transaction per batch, the same columns and documents as the server
 * stores, without validation. The forms differ in how the records are passed to the engine.
 */
export class RawInsert {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #directory: string;
  #batch = 0;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, directory: string) {
    this.#instance = instance;
    this.#connection = connection;
    this.#directory = directory;
  }

  static async open(directory: string, limits: { memory: string; threads: number }): Promise<RawInsert> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
      wal_autocheckpoint: '256MB',
      preserve_insertion_order: 'false',
    });
    const connection = await instance.connect();
    await connection.run(`attach '${join(directory, 'insert.duckdb')}' as raw (storage_version 'latest')`);
    const typed = flat.map(({ path, type }) => `"${path}" ${/Time$/.test(path) ? 'bigint' : type}`);
    await connection.run(`create table raw.records (account varchar, seq bigint, n bigint, t bigint, e bigint,
      ${typed.join(', ')}, odd boolean, doc varchar using compression uncompressed)`);
    return new RawInsert(instance, connection, directory);
  }

  /** `records` is NDJSON. */
  async insert(form: InsertForm, records: string): Promise<void> {
    const seq = this.#batch++;
    const file = join(this.#directory, 'batch.ndjson');
    if (form === 'string') {
      const docs = 'unnest(string_split($text, chr(10))) as doc';
      await this.#connection.run(insertSql(seq, `select ${docs}`, extracted), { text: records });
      return;
    }
    writeFileSync(file, records);
    const source = `select doc from read_csv('${file}', columns = {'doc': 'varchar'}, delim = chr(1), quote = '',
      escape = '', header = false)`;
    await this.#connection.run(insertSql(seq, source, form === 'file' ? extracted : transformed));
    rmSync(file);
  }

  async count(): Promise<number> {
    const result = await this.#connection.runAndReadAll('select count(*) from raw.records');
    return Number(result.getRows()[0]?.[0]);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

interface Values {
  readonly read: string;
  value(path: string, index: number): string;
}

const extracted: Values = {
  read: `json_extract_string(doc, [${paths}])`,
  value: (_, index) => `v[${index + 1}]`,
};

const structure = JSON.stringify(columns);
const transformed: Values = {
  read: `json_transform(doc, '${structure}')`,
  value: (path) => `v.${path}`,
};

function insertSql(seq: number, source: string, { read, value }: Values): string {
  const values = flat.map(({ path, type }, index) =>
    /Time$/.test(path) ? instant(value(path, index)) : `${value(path, index)}::${type}`,
  );
  return `insert into raw.records
    select 'account', ${seq}, row_number() over () - 1, ${instant(value('startTime', 0))}, ${instant(value('endTime', 1))},
      ${values.join(', ')}, false, doc
    from (select doc, ${read} as v from (${source}))`;
}
