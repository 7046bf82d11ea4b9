import type { DuckDBBlobVector, DuckDBDataChunk, DuckDBListVector } from '@duckdb/node-api';
import { free, StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import type { Page, Place } from '../../page.ts';
import { plain, type Sql, sql } from '../sql/sql.ts';

/** More than a batch has records. */
export const placesOfBatch = 2 ** 16;
const comma = Buffer.from(',');
/** Chunks of a page that are sent as they are; more of them are put together, for each is a write of its own. */
const mostChunks = 100;

/** Asks for the texts of records, in whatever order, and for what puts them in order: that is cheaper here than there. */
export function foundSql(shown: Sql, source: Sql): Sql {
  const list = (value: string) => `list((${value})::double)`;
  return sql`select encode(string_agg(shown, ',')), ${plain(
    [list('t'), list(`seq * ${placesOfBatch} + n`), list('strlen(shown)')].join(', '),
  )} from (select t, seq, n, ${shown} as shown from ${source})`;
}

/** Where a text begins and ends among all of them. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** The first so many of the records that the engine found, in the order of answers. */
export function pageOf(chunk: DuckDBDataChunk, rows: number): Page {
  return new FoundRecords(chunk).page(rows);
}

/** Records as the engine found them. */
class FoundRecords {
  /** In memory of its own. */
  readonly #text: Buffer<ArrayBuffer>;
  readonly #times: Float64Array;
  /** Batch and place in it as one number, which a double holds for more batches than there will be. */
  readonly #places: Float64Array;
  readonly #lengths: Float64Array;

  constructor(chunk: DuckDBDataChunk) {
    this.#text = textOf(chunk);
    this.#times = numbersOf(chunk, 1);
    this.#places = numbersOf(chunk, 2);
    this.#lengths = numbersOf(chunk, 3);
  }

  /** Once only, for it takes the text over. */
  page(rows: number): Page {
    const order = this.#order().subarray(0, rows);
    const last = order.at(-1);
    return {
      text: this.#ordered(order),
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

  #ordered(order: Uint32Array): StreamedBuffer {
    const runs = this.#runs(order);
    if (runs.length <= mostChunks) return new StreamedBuffer(this.#chunks(runs), this.#text.buffer);
    const copy = this.#copied(runs);
    free(this.#text.buffer);
    return StreamedBuffer.of(copy);
  }

  #chunks(runs: readonly Run[]): Uint8Array[] {
    const chunks = runs.map(({ start, end }) => this.#text.subarray(start, end));
    return chunks.flatMap((chunk, at) => (at === 0 ? [chunk] : [comma, chunk]));
  }

  #copied(runs: readonly Run[]): Buffer<ArrayBuffer> {
    const size = runs.reduce((sum, { start, end }) => sum + end - start + 1, -1);
    // The slow way is the one that shares no memory.
    const copy = Buffer.allocUnsafeSlow(size);
    let written = 0;
    for (const { start, end } of runs) {
      if (written > 0) copy[written++] = comma[0] as number;
      written += this.#text.copy(copy, written, start, end);
    }
    return copy;
  }

  /** Texts of records that follow on each other in the order as they do here. */
  #runs(order: Uint32Array): Run[] {
    const starts = this.#starts();
    const runs: Run[] = [];
    for (let at = 0; at < order.length; ) {
      const first = order[at] as number;
      let last = first;
      while (++at < order.length && order[at] === last + 1) last++;
      runs.push({
        start: starts[first] as number,
        end: (starts[last] as number) + (this.#lengths[last] as number),
      });
    }
    return runs;
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

function textOf(chunk: DuckDBDataChunk): Buffer<ArrayBuffer> {
  // The other way to ask for it copies it twice.
  const bytes = (chunk.getColumnVector(0) as DuckDBBlobVector).getItemBytes(0) ?? new Uint8Array();
  // One of a few characters lies in memory of the engine.
  const isItsOwn = bytes.byteLength === bytes.buffer.byteLength;
  const { buffer } = isItsOwn ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return Buffer.from(buffer);
}

function numbersOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const items = (chunk.getColumnVector(column) as DuckDBListVector).getItemVector(0);
  const numbers = new Float64Array(items?.itemCount ?? 0);
  for (let at = 0; at < numbers.length; at++) numbers[at] = items?.getItem(at) as number;
  return numbers;
}
