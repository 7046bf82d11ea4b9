import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import { maxRows } from '../../../search/page.ts';
import type { FirstPage, Page, RecordPosition } from '../../page.ts';
import type { RecordSearch } from '../../record-search.ts';
import { type Engine, isOutOfMemory, isOutOfSpill } from '../engine/engine.ts';
import type { Damage } from '../recovery/damage.ts';
import { order } from '../segments/record-order.ts';
import { type Segment, startOfHistory } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { documentAt } from '../sql/document.ts';
import { bind, joined, numbered, plain, type Sql, sql } from '../sql/sql.ts';
import { newestSql } from './newest-sql.ts';
import { pageOf, unorderedRecordsSql } from './page-records.ts';
import { RowEstimates } from './row-estimates.ts';
import { endOf, isPlain, narrowed, perSegment, type Scope } from './scope.ts';
import { sourceOf } from './source-sql.ts';
import { type Slice, TimeHistogram } from './time-histogram.ts';

/** A scope whose statements fail with the signal's reason when it aborts. */
interface Reading extends Scope {
  readonly signal: AbortSignal | undefined;
  readonly missingDays: readonly string[];
}

/** How far back a page has to read, and the rows counted to find out. */
interface Bounds {
  /** The oldest slice of the page; undefined if the page needs all of the range. */
  readonly slice: Slice | undefined;
  /** Whether the extent of the page is exact; otherwise it is an estimate. */
  readonly isCertain: boolean;
  readonly counted: number;
  readonly uncounted: Reading;
}

/** The share of a range that is counted first. */
const initialShare = 1 / 7;
/** Excess records, as a share of the page, that are read rather than cut off. */
const tolerableExcess = 0.5;
const emptyPage: Page = { text: StreamedBuffer.none, rows: 0, last: undefined };

/**
 * Keyset pagination: the hundredth page costs as much as the second. Reading documents dominates the cost, so a
 * histogram over narrow columns first determines how far back a page has to read.
 */
export class Reader {
  readonly #engine: Engine;
  readonly #segments: Segments;
  readonly #statements: FairQueue;
  readonly #damage: Damage;
  readonly #estimates = new RowEstimates();

  constructor(engine: Engine, segments: Segments, statements: FairQueue, damage: Damage) {
    this.#engine = engine;
    this.#segments = segments;
    this.#statements = statements;
    this.#damage = damage;
  }

  /** The first page and the total number of records. */
  first(search: RecordSearch, rows: number, signal?: AbortSignal): Promise<FirstPage> {
    return this.#segments.pinned(async () => {
      const scope = this.#scope(search, undefined, signal);
      const { missingDays } = scope;
      const bounds = await this.#bounds(scope, rows);
      const counting = () => this.#count(bounds.uncounted);
      const reads = [this.#page(scope, bounds, rows), bounds.slice ? counting() : undefined] as const;
      // If one fails, the other is still reading: keep the segments pinned until it has ended.
      await Promise.allSettled(reads);
      const [page, uncounted] = await Promise.all(reads);
      // The estimate said one page is enough; if so, its rows are the total.
      if (!bounds.slice && page.rows < rows) return { ...page, missingDays, total: page.rows };
      return {
        ...page,
        missingDays,
        total: Math.min(bounds.counted + (uncounted ?? (await counting())), maxRows),
      };
    });
  }

  next(search: RecordSearch, after: RecordPosition, rows: number, signal?: AbortSignal): Promise<Page> {
    return this.#segments.pinned(async () => {
      const scope = this.#scope(search, after, signal);
      const { missingDays } = scope;
      return { ...(await this.#page(scope, await this.#bounds(scope, rows), rows)), missingDays };
    });
  }

  #scope(search: RecordSearch, after: RecordPosition | undefined, signal: AbortSignal | undefined): Reading {
    const { account, dataset, range } = search;
    const end = endOf({ ...search, after });
    const covering = this.#segments.covering(account, dataset.path, range.start, end);
    const tableOf = (segment: Segment) => ({ segment, table: dataset.path });
    const isReadable = (segment: Segment) => !this.#damage.isKnown(tableOf(segment));
    // Damage before the range costs no records, so it does not fail the search.
    const history = dataset.search?.earliest
      ? this.#segments.covering(account, dataset.path, startOfHistory, range.end).filter(isReadable)
      : undefined;
    if (!search.partial) return { ...search, after, segments: covering, history, signal, missingDays: [] };
    const segments = covering.filter(isReadable);
    // Over the whole search: every page reports the missing days.
    const all = this.#segments.covering(account, dataset.path, range.start, range.end);
    return {
      ...search,
      after,
      segments,
      history,
      signal,
      missingDays: this.#damage.daysOf(all.map(tableOf)),
    };
  }

  /**
   * Counts the newest part of the range: either it fills the page, or records are so sparse that the whole range is
   * read. In between, more of the range is counted.
   */
  async #bounds(scope: Reading, rows: number): Promise<Bounds> {
    if (!isPlain(scope)) return { slice: undefined, isCertain: true, counted: 0, uncounted: scope };
    const [start, end] = [scope.range.start, endOf(scope)];
    let counted = 0;
    // A page may end in records that begin before the range; all of those remain.
    let share = start < end ? Math.min(initialShare, this.#estimates.shareOf(scope, rows) ?? 1) : 1;
    for (let before: number | undefined; ; ) {
      const middle = share < 1 ? Math.floor(end - (end - start) * share) : undefined;
      const part = new TimeHistogram(middle ?? start, before ?? end);
      await this.#fill(part, narrowed(scope, middle, before));
      const missing = rows - counted;
      counted += part.total;
      const uncounted =
        middle === undefined ? { ...scope, segments: [] } : narrowed(scope, undefined, middle);
      if (part.total >= missing) {
        this.#estimates.note(scope, share, counted);
        const { from = middle, ...slice } = part.slice(missing);
        return { slice: { from, ...slice }, isCertain: true, counted, uncounted };
      }
      const isWhole = middle === undefined;
      if (isWhole || (share >= initialShare && counted < rows * share))
        return { slice: undefined, isCertain: isWhole, counted, uncounted };
      before = middle;
      share = share < initialShare ? initialShare : Math.min(1, share * Math.max(2, (1.5 * rows) / counted));
    }
  }

  async #fill(part: TimeHistogram, scope: Reading): Promise<void> {
    if (scope.segments.length === 0) return;
    const slices = perSegment(scope, (source) => sql`select ${part.sliceSql} as slice from ${source}`);
    const counted = sql`select slice, count(*) from (${slices}) group by slice`;
    for (const [slice, count] of await this.#rows(counted, scope)) part.add(Number(slice), Number(count));
  }

  async #count(scope: Reading): Promise<number> {
    if (scope.segments.length === 0) return 0;
    const counted = (source: Sql) => sql`select count(*) as count from ${source}`;
    const statement = isPlain(scope) ? perSegment(scope, counted) : counted(sourceOf(scope));
    const rows = await this.#rows(statement, scope);
    return rows.reduce((sum, [count]) => sum + Number(count), 0);
  }

  async #page(scope: Reading, { slice, isCertain }: Bounds, rows: number): Promise<Page> {
    const needed = narrowed(scope, slice?.from);
    if (needed.segments.length === 0) return emptyPage;
    // If the estimate may be too low, each segment is limited to one page.
    const source = sourceOf(needed, isCertain ? undefined : rows);
    const hasExcess = slice && slice.held - slice.wanted > rows * tolerableExcess;
    const newest = hasExcess ? newestSql(needed, source, slice) : source;
    const sorted = sql`(select t, seq, n, doc from ${source} order by ${order} limit ${plain(`${rows}`)})`;
    const recordsSql = unorderedRecordsSql(shownSql(scope.returns), isPlain(scope) ? newest : sorted);
    const chunk = await this.#read(recordsSql, scope, async (prepared) => {
      // Streaming avoids another copy of megabytes in one row; an interrupted stream just ends.
      const [row] = await (await prepared.stream()).fetchAllChunks();
      if (!row) throw new Error('The engine returned no page.');
      return row;
    });
    const page = pageOf(chunk, rows);
    // The garbage collector does not see its size and would not free it in time for the next pages.
    chunk.reset();
    return page;
  }

  /** For small results. */
  async #rows(statement: Sql, scope: Reading): Promise<DuckDBValue[][]> {
    const result = await this.#read(statement, scope, (prepared) => prepared.run());
    return Array.from({ length: result.chunkCount }, (_, at) => result.getChunk(at).getRows()).flat();
  }

  #read<Result>(
    statement: Sql,
    { account, signal }: Reading,
    run: (prepared: DuckDBPreparedStatement) => Promise<Result>,
  ): Promise<Result> {
    const { sql: statementSql, parameters, types } = numbered(statement);
    const read = async (connection: DuckDBConnection) => {
      const prepared = await connection.prepare(statementSql);
      prepared.bind([...parameters], [...types]);
      try {
        return await run(prepared);
      } finally {
        prepared.destroySync();
      }
    };
    return this.#statements.run(account, () => this.#engine.use(read, signal), signal).catch(refuseTooLarge);
  }
}

export function refuseTooLarge(error: unknown): never {
  if (!isOutOfMemory(error)) throw error;
  if (isOutOfSpill(error))
    throw new Refusal(
      'UNAVAILABLE',
      'Not enough disk space for the intermediate results of the search: narrow the time range or the filters, try again later, or ask the operator to free disk space or raise VEDETTE_SPILL_CAP.',
    );
  throw new Refusal(
    'UNAVAILABLE',
    'Not enough memory for the search: narrow the time range or the filters, or ask the operator to raise VEDETTE_TELEMETRY_MEMORY.',
  );
}

/** The record as received, or its requested members; absent members are omitted. */
function shownSql(returns: readonly string[] | undefined): Sql {
  if (!returns) return plain('doc');
  const members = [...new Set(returns)].map((name) => {
    const key = bind(`${JSON.stringify(name)}:`, VARCHAR);
    return sql`${key} || ${documentAt([name])}`;
  });
  return sql`'{' || concat_ws(',', ${joined(members, ', ')}) || '}'`;
}
