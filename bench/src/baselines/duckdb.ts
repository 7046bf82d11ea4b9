import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DuckDBBlobVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
} from '@duckdb/node-api';

/** A search as a time range and an SQL condition on the typed columns. */
export interface RawSearch {
  readonly start: number;
  readonly end: number;
  readonly condition: string;
}

export interface RawResult {
  /** The records of the page as JSON in UTF-8, which is faster to read than a string. */
  readonly json: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

export const rawForms = ['page beside count', 'bounded page beside count', 'one statement'] as const;

export type RawForm = (typeof rawForms)[number];

const rows = 5_000;
const maxRows = 500_000;
const order = 't desc, seq desc, n desc';

/** Storage layout of a table. */
export interface Layout {
  readonly storage: 'standard' | 'latest';
  /** Compression of documents; by default the engine chooses. */
  readonly docs?: 'zstd' | 'uncompressed';
  readonly order: 'arrival' | 'result' | 'host';
}

const fastestLayout: Layout = { storage: 'latest', docs: 'uncompressed', order: 'result' };
const orders = {
  arrival: 'seq, n',
  result: order,
  host: 't desc, "srcEntityId.mid", "srcEntityId.pid_hash", seq desc, n desc',
};

/**
 * The same rows in one table of one account, read directly by the driver in this process. Of the layouts that
 * `telemetry/layouts` compares, uncompressed documents in result order are the fastest to read.
 */
export class RawTelemetry {
  readonly #instance: DuckDBInstance;
  readonly #connections: readonly [DuckDBConnection, DuckDBConnection];

  private constructor(instance: DuckDBInstance, connections: readonly [DuckDBConnection, DuckDBConnection]) {
    this.#instance = instance;
    this.#connections = connections;
  }

  static async open(limits: { memory: string; threads: number }): Promise<RawTelemetry> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
      preserve_insertion_order: 'false',
    });
    return new RawTelemetry(instance, [await instance.connect(), await instance.connect()]);
  }

  /** Copies the records of a stopped server. */
  static async build(file: string, days: string, dataset: string, layout = fastestLayout): Promise<void> {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '3GB', threads: '2' });
    const connection = await instance.connect();
    await connection.run(
      `attach '${file}' as raw${layout.storage === 'latest' ? " (storage_version 'latest')" : ''}`,
    );
    const names = readdirSync(days)
      .filter((name) => name.endsWith('.duckdb'))
      .sort();
    for (const [at, name] of names.entries()) {
      await connection.run(`attach '${join(days, name)}' as day${at} (read_only)`);
    }
    const columns = await connection.runAndReadAll(`describe day0."${dataset}"`);
    const declared = columns.getRows().map(([name, type]) => {
      const compression = name === 'doc' && layout.docs ? ` using compression ${layout.docs}` : '';
      return `"${name}" ${type}${compression}`;
    });
    await connection.run(`create table raw.records (${declared.join(', ')})`);
    // One day at a time: records that arrived later are about later hours.
    const indexes = [...names.keys()];
    for (const at of layout.order === 'arrival' ? indexes : indexes.reverse()) {
      await connection.run(
        `insert into raw.records select * from day${at}."${dataset}" order by ${orders[layout.order]}`,
      );
    }
    await connection.run('checkpoint raw');
    connection.closeSync();
    instance.closeSync();
  }

  async attach(file: string): Promise<void> {
    await this.#connections[0].run(`attach '${file}' as raw (read_only)`);
  }

  async search(form: RawForm, search: RawSearch): Promise<RawResult> {
    if (form === 'one statement') return this.#inOneStatement(search);
    return this.#inParallel(search, form === 'page beside count' ? pageSql(search) : boundedPageSql(search));
  }

  async #inParallel(search: RawSearch, pageSql: string): Promise<RawResult> {
    const [first, second] = this.#connections;
    const [page, count] = await Promise.all([
      read(first, pageSql),
      read(
        second,
        `select count(*) from (select 1 from raw.records where ${where(search)} limit ${maxRows})`,
      ),
    ]);
    return { json: bytesOf(page), total: Number(count[0]?.getColumnVector(0).getItem(0)) };
  }

  async #inOneStatement(search: RawSearch): Promise<RawResult> {
    const result = await read(
      this.#connections[0],
      `with page as (${pageSql(search)}),
        total as (select count(*) as total from (select 1 from raw.records where ${where(search)} limit ${maxRows}))
        select json, total from page, total`,
    );
    const total = Number(result[0]?.getColumnVector(1).getItem(0));
    return { json: bytesOf(result), total };
  }

  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

function pageSql(search: RawSearch): string {
  return `select encode(string_agg(doc, ',' order by ${order})) as json
    from (select t, seq, n, doc from raw.records where ${where(search)} order by ${order} limit ${rows})`;
}

/** Finds the timestamp of the last record first, so that few documents are read and sorted. */
function boundedPageSql(search: RawSearch): string {
  return `with bound as materialized
      (select min(t) as t from (select t from raw.records where ${where(search)} order by t desc limit ${rows}))
    select encode(string_agg(doc, ',' order by ${order})) as json
    from (select t, seq, n, doc from raw.records where ${where(search)} and t >= (select t from bound)
      order by ${order} limit (select ${rows}))`;
}

function where({ start, end, condition }: RawSearch): string {
  return `t >= ${start} and t < ${end} and ${condition}`;
}

/** Streaming the result was not faster. */
async function read(connection: DuckDBConnection, statement: string): Promise<DuckDBDataChunk[]> {
  return (await connection.run(statement)).fetchAllChunks();
}

/** Copied once; the other accessors copy twice. Releasing the chunk at once is faster, too. */
function bytesOf([chunk]: readonly DuckDBDataChunk[]): Uint8Array<ArrayBuffer> {
  const column = chunk?.getColumnVector(0) as DuckDBBlobVector | undefined;
  const bytes = column?.getItemBytes(0) ?? new Uint8Array();
  chunk?.reset();
  return bytes as Uint8Array<ArrayBuffer>;
}
