import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** Rows as they lie in the store, read by the driver alone in the process that asks. */
export type RawRead = () => readonly (readonly unknown[])[];

/**
 * Prepared statements on a connection of their own. Of what was tried (all columns or those that an answer shows, rows
 * as objects or as arrays, with and without the order of the answer) arrays of the shown columns are the fastest; the
 * order stays, because the answer has it.
 */
export class RawStore {
  readonly #database: DatabaseSyncInstance;

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true });
  }

  reader(sql: string, ...parameters: (string | number)[]): RawRead {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return () => statement.all(...parameters) as unknown as unknown[][];
  }

  close(): void {
    this.#database.close();
  }
}
