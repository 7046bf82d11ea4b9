import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBValue,
  VARCHAR,
} from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import { mostRows } from '../../../search/page.ts';
import type { FirstPage, Page, Place } from '../../page.ts';
import type { RecordSearch } from '../../record-search.ts';
import { type Engine, isOutOfMemory, isOutOfSpill } from '../engine/engine.ts';
import type { Damage } from '../recovery/damage.ts';
import { order } from '../segments/record-order.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { documentAt } from '../sql/document.ts';
import { bind, joined, numbered, plain, type Sql, sql } from '../sql/sql.ts';
import { newestSql } from './newest-sql.ts';
import { foundSql, pageOf } from './page-records.ts';
import { RowEstimates } from './row-estimates.ts';
import { endOf, isPlain, narrowed, perSegment, type Scope, sourceOf } from './scope.ts';
import { type Slice, TimeHistogram } from './time-histogram.ts';

/** A scope whose statements end with the reason of the signal when it aborts. */
interface Reading extends Scope {
  readonly signal: AbortSignal | undefined;
  readonly missingDays: readonly string[];
}

/** How far back a page has to look, and what was counted to find that out. */
interface Bounds {
  /** The last slice that the page needs some of; undefined when it needs all of the range, or what there is of it. */
  readonly slice: Slice | undefined;
  /** Whether it is known where the page ends, or that all records fit into it; otherwise it only seems so. */
  readonly isCertain: boolean;
  readonly counted: number;
  readonly uncounted: Reading;
}

/** The part of a range that is counted first. */
const firstShare = 1 / 7;
/** How many records beyond a page, as a part of it, are read rather than cut off. */
const fewMore = 0.5;
const nothing: Page = { text: StreamedBuffer.none, rows: 0, last: undefined };

/**
 * Reads pages by keyset, so that the hundredth costs what the second does. What is dear is the text of documents, so a
 * histogram of narrow columns finds out first how far back a page has to look.
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

  /** The first page, and beside it how many records there are. */
  first(wanted: RecordSearch, rows: number, signal?: AbortSignal): Promise<FirstPage> {
    return this.#segments.reading(async () => {
      const scope = this.#scope(wanted, undefined, signal);
      const { missingDays } = scope;
      const bounds = await this.#bounds(scope, rows);
      const counting = () => this.#count(bounds.uncounted);
      const both = [this.#page(scope, bounds, rows), bounds.slice ? counting() : undefined] as const;
      // When one fails, the other still reads: nothing may go away, and nobody take the place, before it has ended.
      await Promise.allSettled(both);
      const [page, uncounted] = await Promise.all(both);
      // One page seemed to be enough. If it is, its rows are all there are.
      if (!bounds.slice && page.rows < rows) return { ...page, missingDays, total: page.rows };
      return {
        ...page,
        missingDays,
        total: Math.min(bounds.counted + (uncounted ?? (await counting())), mostRows),
      };
    });
  }

  /** The page after a place. */
  next(wanted: RecordSearch, after: Place, rows: number, signal?: AbortSignal): Promise<Page> {
    return this.#segments.reading(async () => {
      const scope = this.#scope(wanted, after, signal);
      const { missingDays } = scope;
      return { ...(await this.#page(scope, await this.#bounds(scope, rows), rows)), missingDays };
    });
  }

  #scope(wanted: RecordSearch, after: Place | undefined, signal: AbortSignal | undefined): Reading {
    const { account, dataset, range } = wanted;
    const end = endOf({ ...wanted, after });
    const covering = this.#segments.covering(account, dataset.path, range.start, end);
    if (!wanted.partial) return { ...wanted, after, segments: covering, signal, missingDays: [] };
    const tableOf = (segment: Segment) => ({ segment, table: dataset.path });
    const segments = covering.filter((segment) => !this.#damage.isKnown(tableOf(segment)));
    // Of the whole search: every page says what it lacks.
    const all = this.#segments.covering(account, dataset.path, range.start, range.end);
    return { ...wanted, after, segments, signal, missingDays: this.#damage.daysOf(all.map(tableOf)) };
  }

  /**
   * The newest part of the range tells: it fills the page, or there is so little that all of the range is needed. When
   * it is in between, more of the range is counted.
   */
  async #bounds(scope: Reading, rows: number): Promise<Bounds> {
    if (!isPlain(scope)) return { slice: undefined, isCertain: true, counted: 0, uncounted: scope };
    const [start, end] = [scope.range.start, endOf(scope)];
    let counted = 0;
    // Of windows that begin before the range all are left when a page ended there.
    let share = start < end ? Math.min(firstShare, this.#estimates.shareOf(scope, rows) ?? 1) : 1;
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
      if (isWhole || (share >= firstShare && counted < rows * share))
        return { slice: undefined, isCertain: isWhole, counted, uncounted };
      before = middle;
      share = share < firstShare ? firstShare : Math.min(1, share * Math.max(2, (1.5 * rows) / counted));
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
    if (needed.segments.length === 0) return nothing;
    // Where it is only believed that there is little, no segment may give more than a page.
    const source = sourceOf(needed, isCertain ? undefined : rows);
    const isMuchMore = slice && slice.held - slice.wanted > rows * fewMore;
    const newest = isMuchMore ? newestSql(needed, source, slice) : source;
    const sorted = sql`(select t, seq, n, doc from ${source} order by ${order} limit ${plain(`${rows}`)})`;
    const found = foundSql(shownSql(scope.returns), isPlain(scope) ? newest : sorted);
    const chunk = await this.#read(found, scope, async (prepared) => {
      // Megabytes in one row, which a stream does not copy once more; one that is interrupted just ends.
      const [row] = await (await prepared.stream()).fetchAllChunks();
      if (!row) throw new Error('The engine gave up a page.');
      return row;
    });
    const page = pageOf(chunk, rows);
    // The collector does not see how large it is, and would leave it to the next pages to find other memory.
    chunk.reset();
    return page;
  }

  /** Numbers, which are few. */
  async #rows(statement: Sql, scope: Reading): Promise<DuckDBValue[][]> {
    const result = await this.#read(statement, scope, (prepared) => prepared.run());
    return Array.from({ length: result.chunkCount }, (_, at) => result.getChunk(at).getRows()).flat();
  }

  #read<Result>(
    statement: Sql,
    { account, signal }: Reading,
    run: (prepared: DuckDBPreparedStatement) => Promise<Result>,
  ): Promise<Result> {
    const { sql: text, parameters, types } = numbered(statement);
    const read = async (connection: DuckDBConnection) => {
      const prepared = await connection.prepare(text);
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

/** The record as it came, or the members of it that are asked for; what it lacks is left out. */
function shownSql(returns: readonly string[] | undefined): Sql {
  if (!returns) return plain('doc');
  const members = [...new Set(returns)].map((name) => {
    const key = bind(`${JSON.stringify(name)}:`, VARCHAR);
    return sql`${key} || ${documentAt([name])}`;
  });
  return sql`'{' || concat_ws(',', ${joined(members, ', ')}) || '}'`;
}
