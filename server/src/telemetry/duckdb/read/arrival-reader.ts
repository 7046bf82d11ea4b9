import type { DuckDBBlobValue } from '@duckdb/node-api';
import { datasets } from '../../datasets.ts';
import type { ArrivalCursor, ArrivalHour, Arrivals } from '../../store.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { BatchReader, type BatchReaderDeps, portions } from './batch-reader.ts';

export interface ArrivalDeps extends BatchReaderDeps {
  readonly segments: Segments;
  /** Resolves when every batch received before is stored. */
  readonly writesSettled: () => Promise<void>;
}

/** Limits per query: they bound the memory that reading takes. */
const batchesAtOnce = 5_000;
const bytesAtOnce = 16 * 1024 * 1024;
/** Records of a JSON array may contain line breaks between members, but not within strings. */
const line = `translate(doc, chr(10) || chr(13), '  ')`;

/** Reads the records that arrived in an hour, batch by batch. */
export class ArrivalReader {
  readonly #segments: Segments;
  readonly #deps: ArrivalDeps;

  constructor(deps: ArrivalDeps) {
    this.#segments = deps.segments;
    this.#deps = deps;
  }

  async next(hour: ArrivalHour, after?: ArrivalCursor): Promise<Arrivals | undefined> {
    // A batch received within the hour may not be stored yet.
    if (!after) await this.#deps.writesSettled();
    return this.#segments.pinned(async () => {
      for (const segment of this.#from(hour, after)) {
        const from = after?.day === segment.day ? after.seq : 0;
        const arrivals = await this.#inSegment(segment, hour, from);
        if (arrivals) return arrivals;
      }
      return undefined;
    });
  }

  /** The sequence number of the account's first batch received at or after the instant; undefined if none. */
  firstSince(account: string, since: number): Promise<number | undefined> {
    const day = dayOf(since);
    return this.#segments.pinned(async () => {
      const numbers: number[] = [];
      for (const segment of this.#segments.all()) {
        if (segment.day < day || !segment.accounts.has(account)) continue;
        const [row] = await this.#readingFor({ account }).rows(
          `select min(seq) as seq from ${segment.table('batches')} where account = $account and received >= $since`,
          { account, since },
        );
        if (row?.seq != null) numbers.push(Number(row.seq));
      }
      return numbers.length > 0 ? Math.min(...numbers) : undefined;
    });
  }

  /** A batch is in the segment of its day, or of a later one if the clock was set back. */
  #from({ range, path }: ArrivalHour, after: ArrivalCursor | undefined): Segment[] {
    const day = after?.day ?? dayOf(range.start);
    return this.#segments.all().filter((segment) => segment.day >= day && segment.spans.has(path));
  }

  async #inSegment(segment: Segment, hour: ArrivalHour, from: number): Promise<Arrivals | undefined> {
    const table = segment.table(hour.path);
    const reading = this.#readingFor(hour);
    for (let numbers = await this.#batches(segment, hour, from); numbers.length > 0; ) {
      const rows = await reading.ofBatches(
        table,
        numbers,
        'seq, count(*) as records, sum(strlen(doc) + 1)::bigint as bytes',
      );
      const [some] = portions(rows, ({ bytes }) => Number(bytes), bytesAtOnce);
      if (some) return this.#read(reading, segment, table, some);
      numbers = await this.#batches(segment, hour, numbers.at(-1) as number);
    }
    return undefined;
  }

  /** Queued under the account of the export. */
  #readingFor({ account }: Pick<ArrivalHour, 'account'>): BatchReader {
    return new BatchReader(this.#deps, account);
  }

  async #read(
    reading: BatchReader,
    segment: Segment,
    table: string,
    some: readonly Record<string, unknown>[],
  ): Promise<Arrivals> {
    const numbers = some.map(({ seq }) => Number(seq));
    const [row] = await reading.ofBatches(
      table,
      numbers,
      `encode(string_agg(${line}, chr(10) order by seq, n) || chr(10)) as ndjson`,
      '',
    );
    const { ndjson } = row as { ndjson: DuckDBBlobValue };
    return {
      text: ndjson.bytes,
      records: some.reduce((sum, { records }) => sum + Number(records), 0),
      last: { day: segment.day, seq: numbers.at(-1) as number },
    };
  }

  /** The account's batches of the hour that may contain records of the dataset. */
  async #batches(segment: Segment, hour: ArrivalHour, after: number): Promise<number[]> {
    const { account, path, range } = hour;
    const sources = [path, ...sourcesOf(path)];
    const rows = await this.#readingFor(hour).rows(
      `select seq from ${segment.table('batches')} where seq > $after and account = $account
        and received >= $start and received < $end and list_contains(string_split($sources, ' '), dataset)
        order by seq limit ${batchesAtOnce}`,
      { after, account, sources: sources.join(' '), start: range.start, end: range.end },
    );
    return rows.map(({ seq }) => Number(seq));
  }
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The datasets from which this one is derived. */
function sourcesOf(path: string): string[] {
  return datasets
    .filter(({ derives = [] }) => derives.some(({ into }) => into.path === path))
    .map((dataset) => dataset.path);
}
