import { BIGINT, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { Engine } from '../engine/engine.ts';

export interface BatchReadingDeps {
  readonly engine: Engine;
  /** Shared with searches, so that those who send batches are not kept waiting. */
  readonly statements: FairQueue;
}

export type Parameters = Readonly<Record<string, number | string | readonly number[]>>;

/** Reads what segments hold by the numbers of batches. */
export class BatchReading {
  readonly #deps: BatchReadingDeps;
  readonly #account: string;

  /** In the turns of the account. */
  constructor(deps: BatchReadingDeps, account: string) {
    this.#deps = deps;
    this.#account = account;
  }

  /** With parameters the plan is made when the statement runs, and so from statistics that know every batch. */
  async rows(sql: string, given: Parameters) {
    const { engine, statements } = this.#deps;
    const values: Record<string, DuckDBValue> = {};
    const types: Record<string, DuckDBType> = {};
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === 'string') [values[name], types[name]] = [value, VARCHAR];
      else if (typeof value === 'number') [values[name], types[name]] = [BigInt(value), BIGINT];
      else [values[name], types[name]] = [listValue(value.map(BigInt)), LIST(BIGINT)];
    }
    const result = await statements.run(this.#account, () =>
      engine.use((connection) => connection.runAndReadAll(sql, values, types)),
    );
    return result.getRowObjects();
  }

  /** Something about the records of these batches, which are given in their order, or about each of the batches. */
  ofBatches(table: string, numbers: readonly number[], values: string, rest = 'group by seq order by seq') {
    const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
    // The limits let the engine skip most of a table.
    return this.rows(
      `select ${values} from ${table}
        where seq between $first and $last and seq in (select unnest($numbers)) ${rest}`,
      { first, last, numbers },
    );
  }
}

/** The items in their order, as many together as fit; one that is larger goes alone. */
export function* portions<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number) {
  let portion: Item[] = [];
  let size = 0;
  for (const item of items) {
    const more = sizeOf(item);
    if (portion.length > 0 && size + more > most) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(item);
    size += more;
  }
  if (portion.length > 0) yield portion;
}
