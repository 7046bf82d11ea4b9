import type { DuckDBValue } from '@duckdb/node-api';
import type { TimeRange } from '../../search/time-range.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { pathOf } from './columns.ts';
import { type Engine, identifier, quoted } from './engine.ts';
import type { Segments } from './segments.ts';

/** A condition with its parameters, in the order of their question marks. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
}

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
  readonly conditions: readonly Condition[];
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

export const mostRows = 500_000;

/** Reads pages by keyset, so that the hundredth costs what the second does. */
export class Reader {
  readonly #engine: Engine;
  readonly #segments: Segments;

  constructor(engine: Engine, segments: Segments) {
    this.#engine = engine;
    this.#segments = segments;
  }

  /** The batch that a search which begins now goes up to. */
  get lastSequence(): number {
    return this.#segments.lastSequence;
  }

  async page(wanted: Wanted, after: Place | undefined, rows: number): Promise<Page> {
    const keyset: Condition[] = after
      ? [
          {
            sql: '(t < ? or (t = ? and (seq < ? or (seq = ? and n < ?))))',
            parameters: [after.t, after.t, after.seq, after.seq, after.n].map(BigInt),
          },
        ]
      : [];
    const end = after ? Math.min(wanted.range.end, after.t + 1) : wanted.range.end;
    const source = this.#source(wanted, keyset, end);
    if (!source) return { text: '', rows: 0, last: undefined };
    const order = 't desc, seq desc, n desc';
    const sql = `select string_agg(${shownSql(wanted.returns)}, ',' order by ${order}) as text, count(*) as count,
      min({'t': t, 'seq': seq, 'n': n}) as last
      from (select t, seq, n, doc from ${source.sql} order by ${order} limit ${rows})`;
    const [row] = await this.#read(sql, source.parameters);
    if (!row?.last) return { text: '', rows: 0, last: undefined };
    const { t, seq, n } = (row.last as { entries: Record<keyof Place, bigint> }).entries;
    return {
      text: row.text as string,
      rows: Number(row.count),
      last: { t: Number(t), seq: Number(seq), n: Number(n) },
    };
  }

  /** How many records there are, counted up to the most that pages show. */
  async count(wanted: Wanted): Promise<number> {
    const source = this.#source(wanted, [], wanted.range.end);
    if (!source) return 0;
    const sql = `select count(*) as count from (select 1 from ${source.sql} limit ${mostRows})`;
    const [row] = await this.#read(sql, source.parameters);
    return Number(row?.count ?? 0);
  }

  async #read(sql: string, parameters: readonly DuckDBValue[]) {
    const result = await this.#engine.use((connection) => connection.runAndReadAll(sql, [...parameters]));
    return result.getRowObjects();
  }

  /** The records that may be in an answer, from every segment that can hold one. */
  #source(wanted: Wanted, keyset: readonly Condition[], end: number): Condition | undefined {
    const { dataset, account, range, conditions, upTo } = wanted;
    const segments = this.#segments.covering(dataset.path, range.start, end);
    if (segments.length === 0) return undefined;
    const all: Condition[] = [
      { sql: 'account = ?', parameters: [account] },
      rangeCondition(dataset, range),
      { sql: 'seq <= ?', parameters: [BigInt(upTo)] },
      ...conditions,
      ...(dataset.search?.newestPer ? [] : keyset),
    ];
    const where = all.map(({ sql }) => sql).join(' and ');
    const parameters = all.flatMap((condition) => condition.parameters);
    const selects = segments.map((segment) => `select * from ${segment.table(dataset.path)} where ${where}`);
    const union = `(${selects.join(' union all ')})`;
    const repeated = segments.flatMap(() => parameters);
    if (!dataset.search?.newestPer) return { sql: union, parameters: repeated };
    // Which record is the newest is decided before the page is cut.
    const newest = `(select * from ${union} qualify row_number() over
      (partition by ${identifier(dataset.search.newestPer)} order by t desc, seq desc, n desc) = 1)`;
    const cut = keyset.map(({ sql }) => sql).join(' and ') || 'true';
    return {
      sql: `(select * from ${newest} where ${cut})`,
      parameters: [...repeated, ...keyset.flatMap((condition) => condition.parameters)],
    };
  }
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

function rangeCondition({ range: rule }: TelemetryDataset, { start, end }: TimeRange): Condition {
  const sql = rule.by === 'overlap' ? 'e > ? and t < ?' : 't >= ? and t < ?';
  return { sql, parameters: [BigInt(start), BigInt(end)] };
}
