import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DuckDBBlobVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
} from '@duckdb/node-api';

/** What a search asks for, as SQL conditions on the typed columns. */
export interface RawQuestion {
  readonly start: number;
  readonly end: number;
  readonly condition: string;
}

export interface RawAnswer {
  /** The records of the page as JSON text in UTF-8, which is faster to get than a string. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

export const rawForms = ['page beside count', 'bounded page beside count', 'one statement'] as const;

export type RawForm = (typeof rawForms)[number];

const rows = 5_000;
const mostRows = 500_000;
const order = 't desc, seq desc, n desc';

/** How a table lies in its file. */
export interface Layout {
  readonly storage: 'standard' | 'latest';
  /** How documents are packed; without it as the engine chooses. */
  readonly docs?: 'zstd' | 'uncompressed';
  readonly order: 'arrival' | 'answers' | 'machine';
}

const fastestLayout: Layout = { storage: 'latest', docs: 'uncompressed', order: 'answers' };
const orders = {
  arrival: 'seq, n',
  answers: order,
  machine: 't desc, "srcEntityId.mid", "srcEntityId.pid_hash", seq desc, n desc',
};

/**
 * The same rows in one table of one account, read by the driver alone in the process that asks. Of the layouts that
 * `telemetry/layouts` tries, documents as they are in the order of answers are the fastest to read.
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

  /** Copies what lies in the files of a server that does not run. */
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
      const packing = name === 'doc' && layout.docs ? ` using compression ${layout.docs}` : '';
      return `"${name}" ${type}${packing}`;
    });
    await connection.run(`create table raw.records (${declared.join(', ')})`);
    // A day at a time: what arrived later is about later hours.
    const places = [...names.keys()];
    for (const at of layout.order === 'arrival' ? places : places.reverse()) {
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

  async ask(form: RawForm, question: RawQuestion): Promise<RawAnswer> {
    if (form === 'one statement') return this.#atOnce(question);
    return this.#sideBySide(
      question,
      form === 'page beside count' ? pageSql(question) : boundedPageSql(question),
    );
  }

  async #sideBySide(question: RawQuestion, pageSql: string): Promise<RawAnswer> {
    const [first, second] = this.#connections;
    const [page, count] = await Promise.all([
      read(first, pageSql),
      read(
        second,
        `select count(*) from (select 1 from raw.records where ${where(question)} limit ${mostRows})`,
      ),
    ]);
    return { text: bytesOf(page), total: Number(count[0]?.getColumnVector(0).getItem(0)) };
  }

  async #atOnce(question: RawQuestion): Promise<RawAnswer> {
    const found = await read(
      this.#connections[0],
      `with page as (${pageSql(question)}),
        total as (select count(*) as total from (select 1 from raw.records where ${where(question)} limit ${mostRows}))
        select text, total from page, total`,
    );
    const total = Number(found[0]?.getColumnVector(1).getItem(0));
    return { text: bytesOf(found), total };
  }

  close(): void {
    for (const connection of this.#connections) connection.closeSync();
    this.#instance.closeSync();
  }
}

function pageSql(question: RawQuestion): string {
  return `select encode(string_agg(doc, ',' order by ${order})) as text
    from (select t, seq, n, doc from raw.records where ${where(question)} order by ${order} limit ${rows})`;
}

/** Finds the moment of the last record first, so that few documents are read and sorted. */
function boundedPageSql(question: RawQuestion): string {
  return `with bound as materialized
      (select min(t) as t from (select t from raw.records where ${where(question)} order by t desc limit ${rows}))
    select encode(string_agg(doc, ',' order by ${order})) as text
    from (select t, seq, n, doc from raw.records where ${where(question)} and t >= (select t from bound)
      order by ${order} limit (select ${rows}))`;
}

function where({ start, end, condition }: RawQuestion): string {
  return `t >= ${start} and t < ${end} and ${condition}`;
}

/** A stream of the result took as long or longer. */
async function read(connection: DuckDBConnection, statement: string): Promise<DuckDBDataChunk[]> {
  return (await connection.run(statement)).fetchAllChunks();
}

/** Copied once; the other ways to ask for it copy it twice. What it lay in is given back at once, which is faster, too. */
function bytesOf([chunk]: readonly DuckDBDataChunk[]): Uint8Array<ArrayBuffer> {
  const text = chunk?.getColumnVector(0) as DuckDBBlobVector | undefined;
  const bytes = text?.getItemBytes(0) ?? new Uint8Array();
  chunk?.reset();
  return bytes as Uint8Array<ArrayBuffer>;
}
