import { BIGINT, VARCHAR } from '@duckdb/node-api';
import { Refusal } from '../../platform/errors.ts';
import type { Filter } from '../../search/filter.ts';
import type { TimeRange } from '../../search/time-range.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { mostRows } from '../store.ts';
import { pathOf } from './columns.ts';
import { type Engine, isOutOfMemory, quoted } from './engine.ts';
import { compileFilter } from './filter-sql.ts';
import type { Segments } from './segments.ts';
import { bind, identifier, joined, plain, type Sql, sql } from './sql.ts';

/** The place of a record in the order of answers: newest first, then the latest batch, then its last record. */
export interface Place {
  readonly t: number;
  readonly seq: number;
  readonly n: number;
}

export interface Wanted {
  readonly dataset: TelemetryDataset;
  readonly account: string;
  readonly range: TimeRange;
  readonly filters: readonly Filter[];
  /** Batches after this one are not there for the search, so that its pages do not shift. */
  readonly upTo: number;
  /** Members to show; all of them when undefined. */
  readonly returns?: readonly string[] | undefined;
}

export interface Page {
  /** The records as JSON text with commas between. */
  readonly text: string;
  readonly rows: number;
  /** Of the last record; undefined in an empty page. */
  readonly last: Place | undefined;
}

/** Reads pages by keyset, so that the hundredth costs what the second does. */
export class Reader {
  readonly #engine: Engine;
  readonly #segments: Segments;

  constructor(engine: Engine, segments: Segments) {
    this.#engine = engine;
    this.#segments = segments;
  }

  async page(wanted: Wanted, after: Place | undefined, rows: number, signal?: AbortSignal): Promise<Page> {
    const keyset = after ? [beyond(after)] : [];
    const end = after ? Math.min(wanted.range.end, after.t + 1) : wanted.range.end;
    const source = this.#source(wanted, keyset, end);
    if (!source) return { text: '', rows: 0, last: undefined };
    const order = 't desc, seq desc, n desc';
    const text = `select string_agg(${shownSql(wanted.returns)}, ',' order by ${order}) as text, count(*) as count,
      min({'t': t, 'seq': seq, 'n': n}) as last
      from (select t, seq, n, doc from ${source.sql} order by ${order} limit ${rows})`;
    const [row] = await this.#read(text, source, signal);
    if (!row?.last) return { text: '', rows: 0, last: undefined };
    const { t, seq, n } = (row.last as { entries: Record<keyof Place, bigint> }).entries;
    return {
      text: row.text as string,
      rows: Number(row.count),
      last: { t: Number(t), seq: Number(seq), n: Number(n) },
    };
  }

  /** How many records there are, counted up to the most that pages show. */
  async count(wanted: Wanted, signal?: AbortSignal): Promise<number> {
    const source = this.#source(wanted, [], wanted.range.end);
    if (!source) return 0;
    const text = `select count(*) as count from (select 1 from ${source.sql} limit ${mostRows})`;
    const [row] = await this.#read(text, source, signal);
    return Number(row?.count ?? 0);
  }

  async #read(text: string, { parameters, types }: Sql, signal: AbortSignal | undefined) {
    const result = await this.#engine
      .use((connection) => connection.runAndReadAll(text, [...parameters], [...types]), signal)
      .catch(refuseTooLarge);
    return result.getRowObjects();
  }

  /** The records that may be in an answer, from every segment that can hold one. */
  #source(wanted: Wanted, keyset: readonly Sql[], end: number): Sql | undefined {
    const { dataset, account, range, filters, upTo } = wanted;
    const segments = this.#segments.covering(dataset.path, range.start, end);
    if (segments.length === 0) return undefined;
    const newestPer = dataset.search?.newestPer;
    const selects = segments.map((segment) => {
      const odd = segment.spans.get(dataset.path)?.hasOdd ? 'some' : 'none';
      const where = all([
        sql`account = ${bind(account, VARCHAR)}`,
        inRange(dataset, range),
        sql`seq <= ${bigint(upTo)}`,
        ...filters.map((filter) => compileFilter(filter, dataset, { odd })),
        ...(newestPer ? [] : keyset),
      ]);
      return sql`select * from ${plain(segment.table(dataset.path))} where ${where}`;
    });
    const union = joined(selects, ' union all ');
    if (!newestPer) return sql`(${union})`;
    // Which record is the newest is decided before the page is cut.
    return sql`(select * from (select * from (${union}) qualify row_number() over
      (partition by ${identifier(newestPer)} order by t desc, seq desc, n desc) = 1) where ${all(keyset)})`;
  }
}

function refuseTooLarge(error: unknown): never {
  if (!isOutOfMemory(error)) throw error;
  throw new Refusal(
    'UNAVAILABLE',
    'The search needs more memory than there is: narrow the time range or the filters, or ask your operator to raise VEDETTE_TELEMETRY_MEMORY.',
  );
}

function beyond({ t, seq, n }: Place): Sql {
  const [time, batch] = [bigint(t), bigint(seq)];
  return sql`(t < ${time} or (t = ${time} and (seq < ${batch} or (seq = ${batch} and n < ${bigint(n)}))))`;
}

function inRange({ range: rule }: TelemetryDataset, { start, end }: TimeRange): Sql {
  const [from, to] = [bigint(start), bigint(end)];
  return rule.by === 'overlap' ? sql`e > ${from} and t < ${to}` : sql`t >= ${from} and t < ${to}`;
}

function bigint(value: number): Sql {
  return bind(BigInt(value), BIGINT);
}

function all(conditions: readonly Sql[]): Sql {
  return conditions.length > 0 ? joined(conditions, ' and ') : sql`true`;
}

/** The record as it came, or the members of it that are asked for; what it lacks is left out. */
function shownSql(returns: readonly string[] | undefined): string {
  if (!returns) return 'doc';
  const members = returns.map((name) => {
    const key = quoted(`${JSON.stringify(name)}:`);
    return `${key} || json_extract(doc, ${quoted(pathOf([name]))})`;
  });
  return `'{' || concat_ws(',', ${members.join(', ')}) || '}'`;
}
