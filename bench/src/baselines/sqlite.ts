import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** Reads stored rows directly by the driver, in this process. */
export type RawRead = () => readonly (readonly unknown[])[];

/**
 * Prepared statements on a separate connection. Of the variants tried (all columns or only those of the response, rows
 * as objects or as arrays, sorted or not) arrays of the response's columns are the fastest; they are sorted,
 * because the response is.
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
