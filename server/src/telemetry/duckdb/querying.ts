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
import type { Bound, Tables } from '@vedette/lql/compile/tables';
import { Refusal } from '../../platform/errors.ts';
import type { Put } from '../pieces.ts';
import { isInvalidated } from './disk-failure.ts';
import type { Engine } from './engine.ts';
import type { Inventory } from './inventory.ts';
import { refuseTooLarge } from './reader.ts';
import type { Recovery } from './recovery.ts';
import type { Segments } from './segments.ts';
import type { Slots } from './slots.ts';
import { DuckTables } from './tables.ts';

/** A statement with one text column, `row`. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Bound[];
}

/** Makes a statement from the tables as they are when it runs; they stay there for as long. */
export type CompileWith = (tables: Tables) => Statement;

export interface QueryingParts {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly slots: Slots;
  readonly recovery: Recovery;
}

const comma = Buffer.from(',');

/** Runs compiled queries. Rows go from the engine to whoever takes them as bytes, never all of them at once. */
export class Querying {
  readonly #parts: QueryingParts;

  constructor(parts: QueryingParts) {
    this.#parts = parts;
  }

  /** Puts out the texts of the rows with commas between. Ends with the reason of the signal when it aborts. */
  async run(compileWith: CompileWith, put: Put, signal: AbortSignal): Promise<void> {
    const { engine, segments, inventory, slots, recovery } = this.#parts;
    let isBegun = false;
    const note: Put = (piece) => {
      isBegun = true;
      return put(piece);
    };
    const work = (connection: DuckDBConnection) =>
      stream(connection, compileWith(new DuckTables(segments, inventory)), note, signal);
    const attempt = () =>
      segments
        .reading(() => slots.run(() => engine.use(work, signal)))
        .catch((error: unknown) => {
          // It runs again after that, which would repeat what was put out already.
          if (isBegun && isInvalidated(error)) throw brokenOff();
          throw error;
        });
    await recovery.search(attempt).catch(refuseTooLarge);
  }
}

async function stream(
  connection: DuckDBConnection,
  { sql, parameters }: Statement,
  put: Put,
  signal: AbortSignal,
): Promise<void> {
  const prepared = await connection.prepare(`select encode("row") from (${sql})`);
  let isOpen = false;
  try {
    prepared.bind([...parameters], parameters.map(typeOf));
    const result = await prepared.stream();
    isOpen = true;
    for (let isFirst = true; ; isFirst = false) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      const room = put(textOf(chunk, isFirst));
      if (room) await unlessAborted(room, signal);
    }
    isOpen = false;
  } finally {
    // What is left of a result keeps the files that it reads from in use until another statement takes its place.
    if (isOpen) await connection.run('select 1').catch(() => undefined);
    prepared.destroySync();
  }
}

function textOf(chunk: DuckDBDataChunk, isFirst: boolean): Uint8Array {
  const rows = chunk.getColumnVector(0) as DuckDBBlobVector;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < chunk.rowCount; at++) {
    if (at > 0 || !isFirst) parts.push(comma);
    parts.push(rows.getItemBytes(at) ?? comma.subarray(1));
  }
  return Buffer.concat(parts);
}

/** Left alone, the driver takes 5 for an INTEGER and a bigint for a HUGEINT. */
export function typeOf(value: Bound): DuckDBType {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? BIGINT : HUGEINT;
  if (typeof value === 'number') return DOUBLE;
  return typeof value === 'string' ? VARCHAR : BOOLEAN;
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function brokenOff(): Refusal {
  return new Refusal('UNAVAILABLE', 'The disk failed while the query ran: run it again in a moment.');
}
