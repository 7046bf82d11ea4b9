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

/** Which records are read: those of an owner that a search finds. */
export interface Wanted {
  readonly dataset: Dataset;
  readonly ownerId: string;
  readonly search: Search;
  /** Keys after this one are not there for the search. */
  readonly upTo?: number;
}

/** Where a row stands in the order of answers: the columns that it is ordered by, newest first. */
export type Place = Readonly<Record<string, number>>;

export type Row = Readonly<Record<string, unknown>>;

/** Rows with commas between, and the place of the last of them. */
export interface RowsText {
  readonly text: Uint8Array;
  readonly rows: number;
  readonly last: Place | undefined;
}

export interface Reading {
  /** The next rows by keyset, so that a long scan never counts rows it has already seen. */
  read(after: Row | undefined, rows: number): Promise<Row[]>;
  /** The same rows as one text that the store writes, where every row is in the answer. */
  readText(after: Row | undefined, rows: number): Promise<RowsText>;
  /** How many rows `read` gives in all, counted up to the given number where there is one. */
  count(most?: number): Promise<number>;
  /** The record as JSON text; undefined when the row is not in the answer after all. */
  textOf(row: Row): string | undefined;
  /** Whether every row is in the answer. */
  readonly isExact: boolean;
}

export function readingOf(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  wanted: Wanted,
  budget = new StepBudget(),
): Reading {
  const { dataset, search } = wanted;
  checkPatterns(search.filters);
  const { conditions, remaining } = compileFilters(search.filters, dataset, dialect);
  const isExact = remaining.length === 0;
  const { columns, textOf } = isExact
    ? written(dataset, search, dialect)
    : matched(dataset, search, matcher(remaining, budget));
  const order = orderOf(dataset);
  const names = sql.join(order.map((column) => sql.ref(column)));
  const [past, direction] = dataset.time ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`));
  const selected = sql.join([...columns, names]);
  const table = sql.table(dataset.table);
  const rowsAfter = (after: Row | undefined, rows: number, shown = selected, skipped = 0) => {
    const place = after && sql.join(order.map((column) => after[column]));
    const behind = place ? [sql`(${names}) ${past} (${place})`] : [];
    const all = [...conditionsOf(wanted, conditions, after), ...behind];
    return sql<Row>`select ${shown} from ${table}
      where ${sql.join(all, sql` and `)} order by ${ordered} limit ${rows} offset ${skipped}`;
  };
  return {
    textOf,
    isExact,
    read: async (after, rows) => (await rowsAfter(after, rows).execute(db)).rows,
    readText: async (after, rows) => {
      if (conditions.length > 0) return textOfRows(db, dialect, rowsAfter(after, rows), order);
      const page = await textOfRows(db, dialect, rowsAfter(after, rows), []);
      if (page.rows === 0) return page;
      // The index alone tells the place, which is less work than to compare the places of all rows.
      const [last] = (await rowsAfter(after, 1, names, page.rows - 1).execute(db)).rows;
      return { ...page, last: last && placeOf(last, order) };
    },
    count: async (most) => {
      const all = sql.join(conditionsOf(wanted, conditions), sql` and `);
      const query =
        most === undefined
          ? sql<{ rows: number }>`select count(*) as rows from ${table} where ${all}`
          : sql<{ rows: number }>`select count(*) as rows from
              (select 1 from ${table} where ${all} limit ${most}) as counted`;
      return Number((await query.execute(db)).rows[0]?.rows);
    },
  };
}

const digits = 16;

/**
 * Has the store put rows together, which costs less than thousands of texts. It goes through them in their order, newest
 * first, so the least of their places is the last. SQLite gives bytes, so that nothing is decoded and encoded again.
 */
async function textOfRows(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  rows: RawBuilder<Row>,
  order: readonly string[],
): Promise<RowsText> {
  const padded = order.map((column) =>
    dialect === 'sqlite'
      ? sql`format(${sql.lit(`%0${digits}d`)}, ${sql.ref(column)})`
      : sql`lpad(${sql.ref(column)}::text, ${sql.lit(digits)}, '0')`,
  );
  const whole =
    dialect === 'sqlite'
      ? sql`cast(group_concat(record_text, ',') as blob)`
      : sql`string_agg(record_text, ',')`;
  const least = padded.length > 0 ? sql`min(${sql.join(padded, sql` || `)})` : sql`null`;
  const query = sql<{ text: Uint8Array | string | null; rows: number; last: string | null }>`
    select ${whole} as text, count(*) as rows, ${least} as last from (${rows}) as page`;
  const [found] = (await query.execute(db)).rows;
  const { text, last } = found ?? {};
  const place = last
    ? Object.fromEntries(
        order.map((column, index) => [column, Number(last.slice(index * digits, (index + 1) * digits))]),
      )
    : undefined;
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : (text ?? new Uint8Array());
  return { text: bytes, rows: Number(found?.rows ?? 0), last: place };
}

/** Where a row stands, as numbers, which PostgreSQL may give as texts. */
export function placeOf(row: Row, order: readonly string[]): Place {
  return Object.fromEntries(order.map((column) => [column, Number(row[column])]));
}

/** The columns that say where a row stands in the order of answers. */
export function orderOf({ columns, time, key }: Dataset): string[] {
  const timeColumn = time && columns[time]?.column;
  return timeColumn ? [timeColumn, key] : [key];
}

/** An index is entered at one bound of the time only, so behind a row that is the time of the row. */
function conditionsOf(
  { dataset, ownerId, search: { range }, upTo }: Wanted,
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

interface Writing extends Pick<Reading, 'textOf'> {
  readonly columns: readonly RawBuilder<unknown>[];
}

/** The conditions say it all, so the store writes the records. */
function written(dataset: Dataset, { returns }: Search, dialect: ControlDialect): Writing {
  return {
    columns: [sql`${recordSql(dataset, dialect, returns)} as record_text`],
    textOf: (row) => row.record_text as string,
  };
}

function matched(dataset: Dataset, { returns }: Search, matches: (record: ApiRecord) => boolean): Writing {
  return {
    columns: Object.values(dataset.columns).map(({ column }) => sql.ref(column)),
    textOf: (row) => {
      const record = readRecord(row, dataset);
      return matches(record) ? JSON.stringify(project(record, returns)) : undefined;
    },
  };
}
