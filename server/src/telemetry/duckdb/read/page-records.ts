import type { DuckDBBlobVector, DuckDBDataChunk, DuckDBListVector } from '@duckdb/node-api';
import { free, StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import type { Page, RecordPosition } from '../../page.ts';
import { plain, type Sql, sql } from '../sql/sql.ts';

/** Greater than the maximum number of records in a batch. */
export const positionsPerBatch = 2 ** 16;
const comma = Buffer.from(',');
/** Beyond this number chunks are copied into one buffer, because each chunk is a separate write. */
const maxChunks = 100;

/** Selects the records unordered, with their sort keys: sorting is cheaper in JavaScript. */
export function unorderedRecordsSql(shown: Sql, source: Sql): Sql {
  const list = (value: string) => `list((${value})::double)`;
  return sql`select encode(string_agg(shown, ',')), ${plain(
    [list('t'), list(`seq * ${positionsPerBatch} + n`), list('strlen(shown)')].join(', '),
  )} from (select t, seq, n, ${shown} as shown from ${source})`;
}

/** A byte range of the selected records. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** The first `rows` of the selected records, newest first. */
export function pageOf(chunk: DuckDBDataChunk, rows: number): Page {
  return new UnorderedRecords(chunk).page(rows);
}

/** The unordered records of one result row. */
class UnorderedRecords {
  /** Owns its memory. */
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #times: Float64Array;
  /** Sequence number and index in the batch combined; exact in a double for any realistic number of batches. */
  readonly #positions: Float64Array;
  readonly #lengths: Float64Array;

  constructor(chunk: DuckDBDataChunk) {
    this.#bytes = bytesOf(chunk);
    this.#times = numbersOf(chunk, 1);
    this.#positions = numbersOf(chunk, 2);
    this.#lengths = numbersOf(chunk, 3);
  }

  /** May be called once: it transfers the buffer. */
  page(rows: number): Page {
    const order = this.#order().subarray(0, rows);
    const last = order.at(-1);
    return {
      text: this.#ordered(order),
      rows: order.length,
      last: last === undefined ? undefined : this.#positionOf(last),
    };
  }

  #order(): Uint32Array {
    const [times, positions] = [this.#times, this.#positions];
    const newestFirst = (one: number, other: number) =>
      (times[other] as number) - (times[one] as number) ||
      (positions[other] as number) - (positions[one] as number);
    // An array, not a typed array: its sort is fast for nearly sorted input, such as sealed days.
    return Uint32Array.from(Array.from(times.keys()).sort(newestFirst));
  }

  #ordered(order: Uint32Array): StreamedBuffer {
    const runs = this.#runs(order);
    if (runs.length <= maxChunks) return new StreamedBuffer(this.#chunks(runs), this.#bytes.buffer);
    const copy = this.#copied(runs);
    free(this.#bytes.buffer);
    return StreamedBuffer.of(copy);
  }

  #chunks(runs: readonly Run[]): Uint8Array[] {
    const chunks = runs.map(({ start, end }) => this.#bytes.subarray(start, end));
    return chunks.flatMap((chunk, at) => (at === 0 ? [chunk] : [comma, chunk]));
  }

  #copied(runs: readonly Run[]): Buffer<ArrayBuffer> {
    const size = runs.reduce((sum, { start, end }) => sum + end - start + 1, -1);
    // Unlike allocUnsafe, it uses no shared pool.
    const copy = Buffer.allocUnsafeSlow(size);
    let written = 0;
    for (const { start, end } of runs) {
      if (written > 0) copy[written++] = comma[0] as number;
      written += this.#bytes.copy(copy, written, start, end);
    }
    return copy;
  }

  /** Merges records that are adjacent both in the order and in the buffer. */
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
    if (start !== this.#bytes.length + 1 && start > 0)
      throw new Error('The lengths of the records do not add up to the length of the result.');
    return starts;
  }

  #positionOf(record: number): RecordPosition {
    const position = this.#positions[record] as number;
    const n = position % positionsPerBatch;
    return { t: this.#times[record] as number, seq: (position - n) / positionsPerBatch, n };
  }
}

function bytesOf(chunk: DuckDBDataChunk): Buffer<ArrayBuffer> {
  // Reading the value as an object would copy it twice.
  const bytes = (chunk.getColumnVector(0) as DuckDBBlobVector).getItemBytes(0) ?? new Uint8Array();
  // Short values are stored inline in engine memory.
  const ownsBuffer = bytes.byteLength === bytes.buffer.byteLength;
  const { buffer } = ownsBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return Buffer.from(buffer);
}

function numbersOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const items = (chunk.getColumnVector(column) as DuckDBListVector).getItemVector(0);
  const numbers = new Float64Array(items?.itemCount ?? 0);
  for (let at = 0; at < numbers.length; at++) numbers[at] = items?.getItem(at) as number;
  return numbers;
}
