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
import type { Put } from '../../chunks.ts';
import type { CompileWith, Plan } from '../../compiled-query.ts';
import { isInvalidated } from '../engine/disk-failure.ts';
import { type Engine, isOutOfMemory } from '../engine/engine.ts';
import { unlessAborted } from '../engine/interruption.ts';
import { ofService } from '../engine/statements.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { refuseTooLarge } from '../read/reader.ts';
import type { Damage } from '../recovery/damage.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { Segments } from '../segments/segments.ts';
import { DuckTables } from './tables.ts';

export interface QueryingDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly statements: FairQueue;
  readonly recovery: Recovery;
  readonly damage: Damage;
}

/** Rows that are put out first; how long they are tells how many make a piece. */
const firstRows = 256;
const mostRows = 16_384;
const chunkBytes = 1024 * 1024;
const nothing = Buffer.alloc(0);

/** As many as a page of a search has: so many are read into memory at once there too. */
const fewRows = 5_000;

/**
 * Runs compiled queries. The rows are all there before the first is put out, in memory or, where they are many, in a
 * temporary table that may be larger than memory: so a query fails before anything was put out, and nobody who reads
 * slowly keeps days, or those who wait for their turn, from going.
 */
export class Querying {
  readonly #deps: QueryingDeps;

  constructor(deps: QueryingDeps) {
    this.#deps = deps;
  }

  /**
   * Puts out the texts of the rows with commas between. Ends with the reason of the signal when it aborts, and says when it
   * has all rows.
   */
  async run(
    account: string,
    compileWith: CompileWith,
    put: Put,
    signal: AbortSignal,
    complete: () => void = () => {},
  ): Promise<void> {
    const { engine, segments, inventory, statements, recovery, damage } = this.#deps;
    const answer = async (connection: DuckDBConnection) => {
      const tables = new DuckTables(segments, inventory);
      const readRows = () => rowsOf(connection, compileWith(tables));
      // A search for damage takes long: days may go, and be read anew, meanwhile.
      const few = await segments
        .reading(() => statements.run(account, readRows, signal))
        .catch((error: unknown) => damage.refuse(error, tables.used, signal));
      complete();
      if (few) {
        if (few.length > 0) put(few);
        return;
      }
      // Tried again from the start, it would put rows out twice.
      await putOut(connection, put, signal).catch((error: unknown) => {
        throw isInvalidated(error) ? brokenOff() : error;
      });
    };
    await recovery.search(() => engine.use(answer, signal)).catch(refuseTooLarge);
  }

  /** What a query would do, without doing it. */
  async explain(compileWith: CompileWith): Promise<Plan> {
    const { engine, segments, inventory, statements, recovery } = this.#deps;
    const plan = (connection: DuckDBConnection) =>
      planOf(connection, compileWith(new DuckTables(segments, inventory)));
    return recovery.search(() =>
      engine.use((connection) => segments.reading(() => statements.run(ofService, () => plan(connection)))),
    );
  }
}

async function planOf(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<Plan> {
  const chunks = await run(connection, `explain ${sql}`, parameters);
  const drawings = chunks.flatMap((chunk) => chunk.getColumnValues(1));
  return { sql, parameters, drawing: drawings.map(String).join('\n') };
}

/** All rows where they are few and memory holds them; otherwise they are kept to be put out, and it gives nothing. */
async function rowsOf(connection: DuckDBConnection, compiled: Compiled): Promise<Uint8Array | undefined> {
  if (compiled.limit !== undefined && compiled.limit <= fewRows)
    try {
      return await together(connection, compiled);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
  await keep(connection, compiled);
  return undefined;
}

async function together(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<Uint8Array> {
  const joined = `select encode(string_agg("row", ',')) from (${sql})`;
  const [chunk] = await run(connection, joined, parameters);
  return bytesOf(chunk);
}

/** Each row with a comma before it. */
async function keep(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<void> {
  const kept = `create or replace temp table answer as select concat(',', "row") as "row" from (${sql})`;
  await run(connection, kept, parameters);
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
 * Many rows at a time, joined by the engine: one by one they take five times as long. Not as a stream of the engine, which
 * ends in the same way whether it fails or has no more rows.
 */
async function putOut(connection: DuckDBConnection, put: Put, signal: AbortSignal): Promise<void> {
  try {
    let asked = firstRows;
    for (let from = 0; ; ) {
      const { text, rows } = await chunk(connection, from, asked);
      if (rows > 0) {
        const room = put(from === 0 ? text.subarray(1) : text);
        if (room) await unlessAborted(room, signal);
      }
      if (rows < asked) break;
      from += rows;
      asked = Math.max(1, Math.min(mostRows, Math.floor(chunkBytes / (text.length / rows))));
    }
  } finally {
    await connection.run('drop table temp.answer').catch(() => undefined);
  }
}

async function chunk(connection: DuckDBConnection, from: number, asked: number) {
  const [chunk] = await (
    await connection.run(`select encode(string_agg("row", '')), count(*) from temp.answer
      where rowid >= ${from} and rowid < ${from + asked}`)
  ).fetchAllChunks();
  return { text: bytesOf(chunk), rows: Number(chunk?.getColumnVector(1).getItem(0) ?? 0) };
}

function bytesOf(chunk: DuckDBDataChunk | undefined): Uint8Array {
  const texts = chunk?.getColumnVector(0) as DuckDBBlobVector | undefined;
  return texts?.getItemBytes(0) ?? nothing;
}

/** Left alone, the driver takes 5 for an INTEGER and a bigint for a HUGEINT. */
export function typeOf(value: Bound): DuckDBType {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? BIGINT : HUGEINT;
  if (typeof value === 'number') return DOUBLE;
  return typeof value === 'string' ? VARCHAR : BOOLEAN;
}

function brokenOff(): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    'The query failed because its rows could not be read from memory or disk: run it again.',
  );
}
