import type { DuckDBBlobValue } from '@duckdb/node-api';
import { datasets } from '../../datasets.ts';
import type { ArrivalHour, ArrivalPlace, Arrivals } from '../../store.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { BatchReading, type BatchReadingDeps, portions } from './batch-reading.ts';

export interface ArrivalDeps extends BatchReadingDeps {
  readonly segments: Segments;
  /** Resolves when every batch that came before is stored. */
  readonly writesSettled: () => Promise<void>;
}

/** Batches that are looked up at once, and bytes of records that are read at once: that much is in memory. */
const batchesAtOnce = 5_000;
const bytesAtOnce = 16 * 1024 * 1024;
/** A record that came in an array may have line breaks between its members, but never within a text. */
const line = `translate(doc, chr(10) || chr(13), '  ')`;

/** Reads what came in an hour, batch by batch. */
export class ArrivalReading {
  readonly #segments: Segments;
  readonly #deps: ArrivalDeps;

  constructor(deps: ArrivalDeps) {
    this.#segments = deps.segments;
    this.#deps = deps;
  }

  async next(hour: ArrivalHour, after?: ArrivalPlace): Promise<Arrivals | undefined> {
    // A batch that came within the hour may still be on its way to the disk.
    if (!after) await this.#deps.writesSettled();
    return this.#segments.reading(async () => {
      for (const segment of this.#from(hour, after)) {
        const from = after?.day === segment.day ? after.seq : 0;
        const found = await this.#inSegment(segment, hour, from);
        if (found) return found;
      }
      return undefined;
    });
  }

  /** The number of the first batch of the account that came at the instant or later; undefined when none has. */
  firstSince(account: string, since: number): Promise<number | undefined> {
    const day = dayOf(since);
    return this.#segments.reading(async () => {
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

  /** A batch lies in the file of its day, or in a later one when the clock was set back. */
  #from({ range, path }: ArrivalHour, after: ArrivalPlace | undefined): Segment[] {
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

  /** In the turns of the account whose hour it is. */
  #readingFor({ account }: Pick<ArrivalHour, 'account'>): BatchReading {
    return new BatchReading(this.#deps, account);
  }

  async #read(
    reading: BatchReading,
    segment: Segment,
    table: string,
    some: readonly Record<string, unknown>[],
  ): Promise<Arrivals> {
    const numbers = some.map(({ seq }) => Number(seq));
    const [row] = await reading.ofBatches(
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

/** The paths of datasets from whose records those of this one follow. */
function sourcesOf(path: string): string[] {
  return datasets
    .filter(({ derives = [] }) => derives.some(({ into }) => into.path === path))
    .map((dataset) => dataset.path);
}
