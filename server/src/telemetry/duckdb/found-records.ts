import type { DuckDBBlobVector, DuckDBDataChunk, DuckDBListVector } from '@duckdb/node-api';
import type { Page } from './page.ts';
import type { Place } from './scope.ts';
import { plain, type Sql, sql } from './sql.ts';

const placesOfBatch = 2 ** 16;
const comma = 0x2c;

/** Asks for the texts of records, in whatever order, and for what puts them in order: that is cheaper here than there. */
export function foundSql(shown: Sql, source: Sql): Sql {
  const list = (value: string) => `list((${value})::double)`;
  return sql`select encode(string_agg(shown, ',')), ${plain(
    [list('t'), list(`seq * ${placesOfBatch} + n`), list('strlen(shown)')].join(', '),
  )} from (select t, seq, n, ${shown} as shown from ${source})`;
}

/** Records as the engine found them. */
export class FoundRecords {
  readonly #text: Uint8Array;
  readonly #times: Float64Array;
  /** Batch and place in it as one number, which a double holds for more batches than there will be. */
  readonly #places: Float64Array;
  readonly #lengths: Float64Array;

  constructor(chunk: DuckDBDataChunk) {
    // The other way to ask for it copies it twice.
    this.#text = (chunk.getColumnVector(0) as DuckDBBlobVector).getItemBytes(0) ?? Buffer.alloc(0);
    this.#times = numbersOf(chunk, 1);
    this.#places = numbersOf(chunk, 2);
    this.#lengths = numbersOf(chunk, 3);
  }

  /** The first so many in the order of answers. */
  page(rows: number): Page {
    const order = this.#order().subarray(0, rows);
    const last = order.at(-1);
    return {
      text: this.#textOf(order),
      rows: order.length,
      last: last === undefined ? undefined : this.#place(last),
    };
  }

  #order(): Uint32Array {
    const [times, places] = [this.#times, this.#places];
    const newestFirst = (one: number, other: number) =>
      (times[other] as number) - (times[one] as number) ||
      (places[other] as number) - (places[one] as number);
    // A list and not a typed array: its sort is quick where much is in order already, as in days that are over.
    return Uint32Array.from(Array.from(times.keys()).sort(newestFirst));
  }

  #textOf(order: Uint32Array): Uint8Array {
    const parts = [...this.#runs(order)];
    if (parts.length === 1) return parts[0] as Uint8Array;
    const size = parts.reduce((sum, part) => sum + part.length + 1, -1);
    const text = Buffer.allocUnsafe(Math.max(0, size));
    let written = 0;
    for (const part of parts) {
      if (written > 0) text[written++] = comma;
      text.set(part, written);
      written += part.length;
    }
    return text;
  }

  /** Texts of records that follow on each other in the order as they do here. */
  *#runs(order: Uint32Array): Iterable<Uint8Array> {
    const starts = this.#starts();
    for (let at = 0; at < order.length; ) {
      const first = order[at] as number;
      let last = first;
      while (++at < order.length && order[at] === last + 1) last++;
      yield this.#text.subarray(starts[first], (starts[last] as number) + (this.#lengths[last] as number));
    }
  }

  #starts(): Float64Array {
    const starts = new Float64Array(this.#lengths.length);
    let start = 0;
    for (const [record, length] of this.#lengths.entries()) {
      starts[record] = start;
      start += length + 1;
    }
    if (start !== this.#text.length + 1 && start > 0)
      throw new Error('The texts of records are not as long as they say.');
    return starts;
  }

  #place(record: number): Place {
    const place = this.#places[record] as number;
    const n = place % placesOfBatch;
    return { t: this.#times[record] as number, seq: (place - n) / placesOfBatch, n };
  }
}

function numbersOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const items = (chunk.getColumnVector(column) as DuckDBListVector).getItemVector(0);
  return Float64Array.from({ length: items?.itemCount ?? 0 }, (_, at) => items?.getItem(at) as number);
}
