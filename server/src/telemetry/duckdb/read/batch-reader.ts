import { BIGINT, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { Engine } from '../engine/engine.ts';

export interface BatchReaderDeps {
  readonly engine: Engine;
  /** Shared with searches, so that ingest is not delayed. */
  readonly statements: FairQueue;
}

export type Parameters = Readonly<Record<string, number | string | readonly number[]>>;

/** Reads records of segments by batch sequence number. */
export class BatchReader {
  readonly #deps: BatchReaderDeps;
  readonly #account: string;

  /** Queued under the account. */
  constructor(deps: BatchReaderDeps, account: string) {
    this.#deps = deps;
    this.#account = account;
  }

  /** Parameterized, so that the plan is made from current statistics, which cover every batch. */
  async rows(sql: string, parameters: Parameters) {
    const { engine, statements } = this.#deps;
    const values: Record<string, DuckDBValue> = {};
    const types: Record<string, DuckDBType> = {};
    for (const [name, value] of Object.entries(parameters)) {
      if (typeof value === 'string') [values[name], types[name]] = [value, VARCHAR];
      else if (typeof value === 'number') [values[name], types[name]] = [BigInt(value), BIGINT];
      else [values[name], types[name]] = [listValue(value.map(BigInt)), LIST(BIGINT)];
    }
    const result = await statements.run(this.#account, () =>
      engine.use((connection) => connection.runAndReadAll(sql, values, types)),
    );
    return result.getRowObjects();
  }

  /** Aggregates over the records of these batches (`numbers` ascending), or over each batch. */
  ofBatches(table: string, numbers: readonly number[], values: string, rest = 'group by seq order by seq') {
    const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
    // The bounds let the engine skip most of a table.
    return this.rows(
      `select ${values} from ${table}
        where seq between $first and $last and seq in (select unnest($numbers)) ${rest}`,
      { first, last, numbers },
    );
  }
}

/** Groups items in order up to the maximum size; a larger item forms its own group. */
export function* portions<Item>(items: readonly Item[], sizeOf: (item: Item) => number, maxSize: number) {
  let portion: Item[] = [];
  let size = 0;
  for (const item of items) {
    const more = sizeOf(item);
    if (portion.length > 0 && size + more > maxSize) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(item);
    size += more;
  }
  if (portion.length > 0) yield portion;
}
