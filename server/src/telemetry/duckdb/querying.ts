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
import type { Bound, Tables } from '@vedette/lql/compile/tables';
import { Refusal } from '../../platform/errors.ts';
import type { Put } from '../pieces.ts';
import type { Engine } from './engine.ts';
import type { Inventory } from './inventory.ts';
import { refuseTooLarge } from './reader.ts';
import type { Recovery } from './recovery.ts';
import type { Segments } from './segments.ts';
import type { Slots } from './slots.ts';
import { DuckTables } from './tables.ts';

/** Makes a statement from the tables as they are when it runs; they stay there for as long. */
export type CompileWith = (tables: Tables) => Compiled;

export interface QueryingParts {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly inventory: Inventory;
  readonly slots: Slots;
  readonly recovery: Recovery;
}

const comma = Buffer.from(',');
const nothing = Buffer.alloc(0);

/**
 * Runs compiled queries. The rows are kept in a temporary table first, which may be larger than memory: so a query fails
 * before anything was put out, and nobody who reads slowly keeps days, or those who wait for their turn, from going.
 */
export class Querying {
  readonly #parts: QueryingParts;

  constructor(parts: QueryingParts) {
    this.#parts = parts;
  }

  /**
   * Puts out the texts of the rows with commas between. Ends with the reason of the signal when it aborts, and says when it
   * has all rows.
   */
  async run(
    compileWith: CompileWith,
    put: Put,
    signal: AbortSignal,
    complete: () => void = () => {},
  ): Promise<void> {
    const { engine, segments, inventory, slots, recovery } = this.#parts;
    const answer = async (connection: DuckDBConnection) => {
      const keepRows = () => keep(connection, compileWith(new DuckTables(segments, inventory)));
      await segments.reading(() => slots.run(keepRows));
      complete();
      await putOut(connection, put, signal);
    };
    await recovery.search(() => engine.use(answer, signal)).catch(refuseTooLarge);
  }

  /** What a query would do, without doing it. */
  async explain(compileWith: CompileWith): Promise<Plan> {
    const { engine, segments, inventory, slots, recovery } = this.#parts;
    const plan = (connection: DuckDBConnection) =>
      planOf(connection, compileWith(new DuckTables(segments, inventory)));
    return recovery.search(() =>
      engine.use((connection) => segments.reading(() => slots.run(() => plan(connection)))),
    );
  }
}

/** What a query is for the engine. */
export interface Plan {
  readonly sql: string;
  readonly parameters: readonly Bound[];
  /** What the engine would do, as it draws it. */
  readonly drawing: string;
}

async function planOf(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<Plan> {
  const prepared = await connection.prepare(`explain ${sql}`);
  try {
    prepared.bind([...parameters], parameters.map(typeOf));
    const rows = (await prepared.runAndReadAll()).getRows();
    return { sql, parameters, drawing: rows.map(([, drawing]) => String(drawing)).join('\n') };
  } finally {
    prepared.destroySync();
  }
}

async function keep(connection: DuckDBConnection, { sql, parameters }: Compiled): Promise<void> {
  const prepared = await connection.prepare(
    `create or replace temp table answer as select encode("row") as "row" from (${sql})`,
  );
  try {
    prepared.bind([...parameters], parameters.map(typeOf));
    await prepared.run();
  } finally {
    prepared.destroySync();
  }
}

/** What is left of a result keeps its rows until another statement takes its place. */
async function putOut(connection: DuckDBConnection, put: Put, signal: AbortSignal): Promise<void> {
  try {
    const result = await connection.stream('from temp.answer');
    for (let isFirst = true; ; isFirst = false) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      const room = put(textOf(chunk, isFirst));
      if (room) await unlessAborted(room, signal);
    }
    // A stream that fails ends like one that has no more rows. It only tells that it is none any more.
    if (!result.isStreaming) throw brokenOff();
  } finally {
    await connection.run('drop table temp.answer').catch(() => undefined);
  }
}

function textOf(chunk: DuckDBDataChunk, isFirst: boolean): Uint8Array {
  const rows = chunk.getColumnVector(0) as DuckDBBlobVector;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < chunk.rowCount; at++) {
    if (at > 0 || !isFirst) parts.push(comma);
    parts.push(rows.getItemBytes(at) ?? nothing);
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
  return new Refusal(
    'UNAVAILABLE',
    'The query broke off, for its rows could not be read from memory or the disk: run it again.',
  );
}
