import type { Kysely } from 'kysely';
import type { TableName, Tables } from '../control/tables.ts';
import { batchSize, type Row } from './archive.ts';

/** Inserts rows in batches, table by table. */
export class RowBatch {
  readonly #db: Kysely<Tables>;
  #table: TableName | undefined;
  #rows: Row[] = [];

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async add(table: TableName, row: Row): Promise<void> {
    if (table !== this.#table || this.#rows.length >= batchSize) await this.flush();
    this.#table = table;
    this.#rows.push(row);
  }

  async flush(): Promise<void> {
    if (!this.#table || this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    await this.#db
      .insertInto(this.#table)
      .values(rows as never)
      .execute();
    await new Promise((resume) => setImmediate(resume));
  }
}
