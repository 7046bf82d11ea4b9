import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBBlobVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBType,
  HUGEINT,
  VARCHAR,
} from '@duckdb/node-api';
import type { Compiled } from '@vedette/lql/compile/compile';
import type { Bound } from '@vedette/lql/compile/tables';
import { Refusal } from '../../../platform/errors.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { ChunkSink } from '../../chunks.ts';
import type { CompileWith, Plan } from '../../compiled-query.ts';
import { isInvalidated } from '../engine/disk-failure.ts';
import { type Engine, isOutOfMemory } from '../engine/engine.ts';
import { unlessAborted } from '../engine/interruption.ts';
import { systemTenant } from '../engine/statements.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { refuseTooLarge } from '../read/reader.ts';
import type { Damage } from '../recovery/damage.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { Segments } from '../segments/segments.ts';
import { DuckTables } from './tables.ts';

export interface QueryExecutorDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly statements: FairQueue;
  readonly recovery: Recovery;
  readonly damage: Damage;
}

/** Rows of the first chunk; their length determines the size of the following chunks. */
const firstRows = 256;
const maxRows = 16_384;
const chunkBytes = 1024 * 1024;
const noBytes = Buffer.alloc(0);

/** The page size of a search: that many rows may be in memory. */
const maxInlineRows = 5_000;

/**
 * Runs compiled queries. Results are complete before the first row is written, in memory or in a temporary table
 * that may exceed memory: a query fails before any output, and a slow reader blocks neither the dropping of days
 * nor queued statements.
 */
export class QueryExecutor {
  readonly #deps: QueryExecutorDeps;

  constructor(deps: QueryExecutorDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the rows as JSON separated by commas. Fails with the signal's reason when it aborts, and calls
   * `complete` once all rows are available.
   */
  async run(
    account: string,
    compileWith: CompileWith,
    put: ChunkSink,
    signal: AbortSignal,
    complete: () => void = () => {},
  ): Promise<void> {
    const { engine, segments, inventory, statements, recovery, damage } = this.#deps;
    const execute = async (connection: DuckDBConnection) => {
      const tables = new DuckTables(segments, inventory);
      const readRows = () => rowsOf(connection, compileWith(tables));
      // The search for damage takes long, so it does not pin the segments.
      const inline = await segments
        .pinned(() => statements.run(account, readRows, signal))
        .catch((error: unknown) => damage.refuse(error, tables.used, signal));
      complete();
      if (inline) {
        if (inline.length > 0) put(inline);
        return;
      }
      // Not retried: a retry would write rows twice.
      await writeRows(connection, put, signal).catch((error: unknown) => {
        throw isInvalidated(error) ? rowsUnreadable() : error;
      });
    };
    await recovery.search(() => engine.use(execute, signal)).catch(refuseTooLarge);
  }

  /** The query plan. */
  async explain(compileWith: CompileWith): Promise<Plan> {
    const { engine, segments, inventory, statements, recovery } = this.#deps;
    const plan = (connection: DuckDBConnection) =>
      planOf(connection, compileWith(new DuckTables(segments, inventory)));
    return recovery.search(() =>
      engine.use((connection) => segments.pinned(() => statements.run(systemTenant, () => plan(connection)))),
    );
  }
}

async function planOf(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<Plan> {
  const chunks = await run(connection, `explain ${sql}`, parameters);
  const plans = chunks.flatMap((chunk) => chunk.getColumnValues(1));
  return { sql, parameters, explanation: plans.map(String).join('\n') };
}

/** All rows if they are few and fit into memory; otherwise stores them in the temporary table and returns undefined. */
async function rowsOf(connection: DuckDBConnection, compiled: Compiled): Promise<Uint8Array | undefined> {
  if (compiled.limit !== undefined && compiled.limit <= maxInlineRows)
    try {
      return await selectJoined(connection, compiled);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  await materialize(connection, compiled);
  return undefined;
}

async function selectJoined(
  connection: DuckDBConnection,
  { sql, parameters }: Compiled,
): Promise<Uint8Array> {
  const joined = `select encode(string_agg("row", ',')) from (${sql})`;
  const [chunk] = await run(connection, joined, parameters);
  return bytesOf(chunk);
}

/** Each row is prefixed with a comma. */
async function materialize(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<void> {
  const statement = `create or replace temp table answer as select concat(',', "row") as "row" from (${sql})`;
  await run(connection, statement, parameters);
}

async function run(connection: DuckDBConnection, sql: string, parameters: readonly Bound[]) {
  const prepared = await connection.prepare(sql);
  try {
    prepared.bind([...parameters], parameters.map(typeOf));
    return await (await prepared.run()).fetchAllChunks();
  } finally {
    prepared.destroySync();
  }
}

/**
 * Many rows at a time, joined by the engine: one by one they take five times as long. Not by the engine's
 * streaming, which ends in the same way on failure and at the last row.
 */
async function writeRows(connection: DuckDBConnection, put: ChunkSink, signal: AbortSignal): Promise<void> {
  try {
    let requested = firstRows;
    for (let from = 0; ; ) {
      const { bytes, rows } = await readChunk(connection, from, requested);
      if (rows > 0) {
        const drained = put(from === 0 ? bytes.subarray(1) : bytes);
        if (drained) await unlessAborted(drained, signal);
      }
      if (rows < requested) break;
      from += rows;
      requested = Math.max(1, Math.min(maxRows, Math.floor(chunkBytes / (bytes.length / rows))));
    }
  } finally {
    await connection.run('drop table temp.answer').catch(() => undefined);
  }
}

async function readChunk(connection: DuckDBConnection, from: number, requested: number) {
  const [chunk] = await (
    await connection.run(`select encode(string_agg("row", '')), count(*) from temp.answer
      where rowid >= ${from} and rowid < ${from + requested}`)
  ).fetchAllChunks();
  return { bytes: bytesOf(chunk), rows: Number(chunk?.getColumnVector(1).getItem(0) ?? 0) };
}

function bytesOf(chunk: DuckDBDataChunk | undefined): Uint8Array {
  const vector = chunk?.getColumnVector(0) as DuckDBBlobVector | undefined;
  return vector?.getItemBytes(0) ?? noBytes;
}

/** By default the driver binds 5 as INTEGER and a bigint as HUGEINT. */
export function typeOf(value: Bound): DuckDBType {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? BIGINT : HUGEINT;
  if (typeof value === 'number') return DOUBLE;
  return typeof value === 'string' ? VARCHAR : BOOLEAN;
}

function rowsUnreadable(): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    'The query failed because its rows could not be read from memory or disk: run it again.',
  );
}
