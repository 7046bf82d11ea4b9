import type { DuckDBBlobValue } from '@duckdb/node-api';
import { datasets } from '../datasets.ts';
import type { ArrivalHour, ArrivalPlace, Arrivals } from '../store.ts';
import { BatchReading, type BatchReadingParts, portions } from './batch-reading.ts';
import type { Segment } from './segment.ts';
import type { Segments } from './segments.ts';
import type { Writer } from './writer.ts';

export interface ArrivalParts extends BatchReadingParts {
  readonly segments: Segments;
  readonly writer: Writer;
}

/** Batches that are looked up at once, and bytes of records that are read at once: that much is in memory. */
const batchesAtOnce = 5_000;
const bytesAtOnce = 16 * 1024 * 1024;
/** A record that came in an array may have line breaks between its members, but never within a text. */
const line = `translate(doc, chr(10) || chr(13), '  ')`;

/** Reads what came in an hour, batch by batch. */
export class ArrivalReading {
  readonly #segments: Segments;
  readonly #writer: Writer;
  readonly #reading: BatchReading;

  constructor(parts: ArrivalParts) {
    this.#segments = parts.segments;
    this.#writer = parts.writer;
    this.#reading = new BatchReading(parts);
  }

  async next(hour: ArrivalHour, after?: ArrivalPlace): Promise<Arrivals | undefined> {
    // A batch that came within the hour may still be on its way to the disk.
    if (!after) await this.#writer.inTurn(async () => undefined);
    return this.#segments.reading(async () => {
      for (const segment of this.#from(hour, after)) {
        const from = after?.day === segment.day ? after.seq : 0;
        const found = await this.#inSegment(segment, hour, from);
        if (found) return found;
      }
      return undefined;
    });
  }

  /** A batch lies in the file of its day, or in a later one when the clock was set back. */
  #from({ range, path }: ArrivalHour, after: ArrivalPlace | undefined): Segment[] {
    const day = after?.day ?? new Date(range.start).toISOString().slice(0, 10);
    return this.#segments.all().filter((segment) => segment.day >= day && segment.spans.has(path));
  }

  async #inSegment(segment: Segment, hour: ArrivalHour, from: number): Promise<Arrivals | undefined> {
    const table = segment.table(hour.path);
    for (let numbers = await this.#batches(segment, hour, from); numbers.length > 0; ) {
      const rows = await this.#reading.ofBatches(
        table,
        numbers,
        'seq, count(*) as records, sum(strlen(doc) + 1)::bigint as bytes',
      );
      const [some] = portions(rows, ({ bytes }) => Number(bytes), bytesAtOnce);
      if (some) return this.#read(segment, table, some);
      numbers = await this.#batches(segment, hour, numbers.at(-1) as number);
    }
    return undefined;
  }

  async #read(segment: Segment, table: string, some: readonly Record<string, unknown>[]): Promise<Arrivals> {
    const numbers = some.map(({ seq }) => Number(seq));
    const [row] = await this.#reading.ofBatches(
      table,
      numbers,
      `encode(string_agg(${line}, chr(10) order by seq, n) || chr(10)) as text`,
      '',
    );
    const { bytes: text } = (row as { text: DuckDBBlobValue }).text;
    return {
      text,
      records: some.reduce((sum, { records }) => sum + Number(records), 0),
      last: { day: segment.day, seq: numbers.at(-1) as number },
    };
  }

  /** The batches of the account that came in the hour and may have brought such records. */
  async #batches(segment: Segment, { account, path, range }: ArrivalHour, after: number): Promise<number[]> {
    const sources = [path, ...sourcesOf(path)];
    const rows = await this.#reading.rows(
      `select seq from ${segment.table('batches')} where seq > $after and account = $account
        and received >= $start and received < $end and list_contains(string_split($sources, ' '), dataset)
        order by seq limit ${batchesAtOnce}`,
      { after, account, sources: sources.join(' '), start: range.start, end: range.end },
    );
    return rows.map(({ seq }) => Number(seq));
  }
}

/** The paths of datasets from whose records those of this one follow. */
function sourcesOf(path: string): string[] {
  return datasets
    .filter(({ derives = [] }) => derives.some(({ into }) => into.path === path))
    .map((dataset) => dataset.path);
}
