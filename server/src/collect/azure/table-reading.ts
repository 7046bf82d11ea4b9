import { CollectError } from '../inventory/problem.ts';
import type { Reading, ReadingOutput } from '../inventory/reading.ts';
import { meaningOf } from './azure-problem.ts';
import { graphRows } from './resource-graph.ts';
import { type AzureRow, globalRegion, isRow, resourceOf } from './row.ts';
import { type AzureType, type GraphTable, kindOf, readAction } from './service.ts';
import type { AzureSession } from './session.ts';

/** One query for all types of a table; its rows are divided by type. */
export function tableReading(session: AzureSession, table: GraphTable, types: readonly AzureType[]): Reading {
  return {
    id: `resourcegraph/${table}`,
    service: 'Resource Graph',
    region: globalRegion,
    kinds: types.map(kindOf),
    read: (output, signal) => new TableReader(session, output, table, types).read(signal),
  };
}

class TableReader {
  readonly #session: AzureSession;
  readonly #output: ReadingOutput;
  readonly #table: GraphTable;
  readonly #types: ReadonlyMap<string, AzureType>;
  /** Kinds of which nothing more is taken. */
  readonly #ended = new Set<string>();
  readonly #keys = new Set<string>();

  constructor(session: AzureSession, output: ReadingOutput, table: GraphTable, types: readonly AzureType[]) {
    this.#session = session;
    this.#output = output;
    this.#table = table;
    this.#types = new Map(types.map((type) => [type.type.toLowerCase(), type]));
  }

  async read(signal: AbortSignal): Promise<void> {
    for (const type of this.#types.values()) {
      const problem = this.#session.access?.problemOf(readAction(type));
      if (problem) this.#end(kindOf(type), problem);
    }
    if (this.#ended.size === this.#types.size) return;
    const { api, scope } = this.#session;
    const query = { table: this.#table, types: [...this.#types.keys()], subscription: scope.cloudAccount };
    try {
      for await (const rows of graphRows(api, query, signal)) for (const row of rows) await this.#take(row);
    } catch (error) {
      signal.throwIfAborted();
      const what = `Resource Graph table ${this.#table}`;
      const meaning = meaningOf(error, {}, what, 'Microsoft.ResourceGraph/resources/read');
      if (meaning === 'none') throw error;
      throw new CollectError(meaning, error);
    }
  }

  async #take(row: unknown): Promise<void> {
    const type = isRow(row) ? this.#types.get(String(row.type).toLowerCase()) : undefined;
    if (!type) {
      if (isRow(row)) return;
      throw new CollectError({
        status: 'failed',
        reason: `Resource Graph returned a row of ${this.#table} without an id.`,
      });
    }
    const kind = kindOf(type);
    if (this.#ended.has(kind)) return;
    try {
      await this.#add(kind, type, row as AzureRow);
    } catch (error) {
      // Something in this row can not be stored: the other types can.
      if (!(error instanceof CollectError)) throw error;
      this.#end(kind, error);
    }
  }

  async #add(kind: string, { type, redact = [] }: AzureType, row: AzureRow): Promise<void> {
    const origin = { type: type.toLowerCase(), redact, call: this.#table };
    const resource = resourceOf(row, origin, this.#session.scope);
    // A resource moves to the next page if another is deleted while pages are read.
    if (this.#keys.has(resource.key)) return;
    this.#keys.add(resource.key);
    await this.#output.add(kind, resource);
  }

  #end(kind: string, problem: Parameters<ReadingOutput['gap']>[1]): void {
    this.#ended.add(kind);
    this.#output.gap(kind, problem);
  }
}
