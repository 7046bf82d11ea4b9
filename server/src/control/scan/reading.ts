import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CompiledFilters, compileFilters } from '../../search/compiler.ts';
import type { Dataset } from '../../search/dataset.ts';
import { matcher } from '../../search/evaluator.ts';
import { checkPatterns } from '../../search/filter.ts';
import { type ApiRecord, project, readRecord } from '../../search/record.ts';
import { recordSql } from '../../search/record-sql.ts';
import type { Search } from '../../search/request.ts';
import { StepBudget } from '../../search/step-budget.ts';
import type { ControlDialect } from '../connect.ts';

/** Selects the records of an owner that match a search. */
export interface RecordSelection {
  readonly dataset: Dataset;
  readonly ownerId: string;
  readonly search: Search;
  /** Keys above this one are excluded. */
  readonly upTo?: number;
}

/** Keyset position of a row: its values of the ordering columns. */
export type Place = Readonly<Record<string, number>>;

export type Row = Readonly<Record<string, unknown>>;

/** Serialised rows separated by commas, and the position of the last. */
export interface SerializedRows {
  readonly json: Uint8Array;
  readonly rows: number;
  readonly last: Place | undefined;
}

export interface Reading {
  /** The next rows by keyset pagination, so that a long scan never skips over rows it has already read. */
  read(after: Row | undefined, rows: number): Promise<Row[]>;
  /** The same rows serialised by the database; only if `isExact`. */
  readSerialized(after: Row | undefined, rows: number): Promise<SerializedRows>;
  /** Total number of rows that `read` returns, counted up to a maximum if given. */
  count(max?: number): Promise<number>;
  /** The record as JSON; undefined if the remaining filters exclude it. */
  jsonOf(row: Row): string | undefined;
  /** Whether the SQL conditions cover all filters. */
  readonly isExact: boolean;
}

export function readingOf(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  selection: RecordSelection,
  budget = new StepBudget(),
): Reading {
  const { dataset, search } = selection;
  checkPatterns(search.filters);
  const { conditions, remaining } = compileFilters(search.filters, dataset, dialect);
  const isExact = remaining.length === 0;
  const { columns, jsonOf } = isExact
    ? serializedBySql(dataset, search, dialect)
    : serializedAfterMatching(dataset, search, matcher(remaining, budget));
  const order = orderOf(dataset);
  const names = sql.join(order.map((column) => sql.ref(column)));
  const [comparison, direction] = dataset.time ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`));
  const selected = sql.join([...columns, names]);
  const table = sql.table(dataset.table);
  const rowsAfter = (after: Row | undefined, rows: number, columns = selected, skipped = 0) => {
    const position = after && sql.join(order.map((column) => after[column]));
    const keyset = position ? [sql`(${names}) ${comparison} (${position})`] : [];
    const all = [...conditionsOf(selection, conditions, after), ...keyset];
    return sql<Row>`select ${columns} from ${table}
      where ${sql.join(all, sql` and `)} order by ${ordered} limit ${rows} offset ${skipped}`;
  };
  return {
    jsonOf,
    isExact,
    read: async (after, rows) => (await rowsAfter(after, rows).execute(db)).rows,
    readSerialized: async (after, rows) => {
      if (conditions.length > 0) return serializeRows(db, dialect, rowsAfter(after, rows), order);
      const page = await serializeRows(db, dialect, rowsAfter(after, rows), []);
      if (page.rows === 0) return page;
      // The index alone yields the position, which is cheaper than comparing the positions of all rows.
      const [last] = (await rowsAfter(after, 1, names, page.rows - 1).execute(db)).rows;
      return { ...page, last: last && placeOf(last, order) };
    },
    count: async (max) => {
      const all = sql.join(conditionsOf(selection, conditions), sql` and `);
      const query =
        max === undefined
          ? sql<{ rows: number }>`select count(*) as rows from ${table} where ${all}`
          : sql<{ rows: number }>`select count(*) as rows from
              (select 1 from ${table} where ${all} limit ${max}) as counted`;
      return Number((await query.execute(db)).rows[0]?.rows);
    },
  };
}

const keyDigits = 16;

/**
 * Aggregates rows in the database, which is cheaper than transferring thousands of strings. The order is newest first,
 * so the minimum position is that of the last row. SQLite returns bytes, to avoid decoding and encoding.
 */
async function serializeRows(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  rows: RawBuilder<Row>,
  order: readonly string[],
): Promise<SerializedRows> {
  const padded = order.map((column) =>
    dialect === 'sqlite'
      ? sql`format(${sql.lit(`%0${keyDigits}d`)}, ${sql.ref(column)})`
      : sql`lpad(${sql.ref(column)}::text, ${sql.lit(keyDigits)}, '0')`,
  );
  const whole =
    dialect === 'sqlite'
      ? sql`cast(group_concat(record_json, ',') as blob)`
      : sql`string_agg(record_json, ',')`;
  const lowest = padded.length > 0 ? sql`min(${sql.join(padded, sql` || `)})` : sql`null`;
  const query = sql<{ json: Uint8Array | string | null; rows: number; last: string | null }>`
    select ${whole} as json, count(*) as rows, ${lowest} as last from (${rows}) as page`;
  const [aggregate] = (await query.execute(db)).rows;
  const { json, last } = aggregate ?? {};
  const position = last
    ? Object.fromEntries(
        order.map((column, index) => [
          column,
          Number(last.slice(index * keyDigits, (index + 1) * keyDigits)),
        ]),
      )
    : undefined;
  const bytes = typeof json === 'string' ? new TextEncoder().encode(json) : (json ?? new Uint8Array());
  return { json: bytes, rows: Number(aggregate?.rows ?? 0), last: position };
}

/** The position of a row as numbers, which PostgreSQL may return as strings. */
export function placeOf(row: Row, order: readonly string[]): Place {
  return Object.fromEntries(order.map((column) => [column, Number(row[column])]));
}

/** The ordering columns. */
export function orderOf({ columns, time, key }: Dataset): string[] {
  const timeColumn = time && columns[time]?.column;
  return timeColumn ? [timeColumn, key] : [key];
}

/** An index range uses only one upper bound of the time, so after a row the row's own time replaces the end. */
function conditionsOf(
  { dataset, ownerId, search: { range }, upTo }: RecordSelection,
  conditions: CompiledFilters['conditions'],
  after?: Row,
): RawBuilder<unknown>[] {
  const timeColumn = dataset.time && dataset.columns[dataset.time]?.column;
  const time = timeColumn && sql.ref(timeColumn);
  const end = timeColumn && after ? sql`<= ${after[timeColumn]}` : sql`< ${range?.end}`;
  return [
    sql`owner_id = ${ownerId}`,
    ...(time && range ? [sql`${time} >= ${range.start}`, sql`${time} ${end}`] : []),
    ...(upTo === undefined ? [] : [sql`${sql.ref(dataset.key)} <= ${upTo}`]),
    ...conditions,
  ];
}

interface Serialization extends Pick<Reading, 'jsonOf'> {
  readonly columns: readonly RawBuilder<unknown>[];
}

/** The conditions cover all filters, so the database serialises the records. */
function serializedBySql(dataset: Dataset, { returns }: Search, dialect: ControlDialect): Serialization {
  return {
    columns: [sql`${recordSql(dataset, dialect, returns)} as record_json`],
    jsonOf: (row) => row.record_json as string,
  };
}

function serializedAfterMatching(
  dataset: Dataset,
  { returns }: Search,
  matches: (record: ApiRecord) => boolean,
): Serialization {
  return {
    columns: Object.values(dataset.columns).map(({ column }) => sql.ref(column)),
    jsonOf: (row) => {
      const record = readRecord(row, dataset);
      return matches(record) ? JSON.stringify(project(record, returns)) : undefined;
    },
  };
}
