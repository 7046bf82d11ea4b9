const bytesAtOnce = 16 * 1024 * 1024;
const rowsAtOnce = 5_000;

export interface RowBufferDeps<Row> {
  /** Approximate. */
  bytesOf(row: Row): number;
  write(rows: readonly Row[], bytes: number): Promise<void>;
}

/** Rows that wait to be written together. */
export class RowBuffer<Row> {
  readonly #deps: RowBufferDeps<Row>;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(deps: RowBufferDeps<Row>) {
    this.#deps = deps;
  }

  async add(row: Row): Promise<void> {
    this.#rows.push(row);
    this.#bytes += this.#deps.bytesOf(row);
    if (this.#bytes >= bytesAtOnce || this.#rows.length >= rowsAtOnce) await this.flush();
  }

  async flush(): Promise<void> {
    const [rows, bytes] = [this.#rows, this.#bytes];
    [this.#rows, this.#bytes] = [[], 0];
    if (rows.length > 0) await this.#deps.write(rows, bytes);
  }
}
