import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type CompiledFilters, compileFilters } from '../../search/compiler.ts';
import type { Dataset } from '../../search/dataset.ts';
import { matcher } from '../../search/evaluator.ts';
import type { Filter } from '../../search/filter.ts';
import { project, readRecord } from '../../search/record.ts';
import { recordSql } from '../../search/record-sql.ts';
import type { Search } from '../../search/request.ts';
import type { ControlDialect } from '../connect.ts';

/** Which records are read: those of an owner that a search finds. */
export interface Wanted {
  readonly dataset: Dataset;
  readonly ownerId: string;
  readonly search: Search;
  /** Keys after this one are not there for the search. */
  readonly upTo?: number;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Reading {
  /** The next rows by keyset, so that a long scan never counts rows it has already seen. */
  read(after: Row | undefined, rows: number): Promise<Row[]>;
  /** How many rows `read` gives in all, counted up to the given number. */
  count(most: number): Promise<number>;
  /** The record as JSON text; undefined when the row is not in the answer after all. */
  textOf(row: Row): string | undefined;
  /** Whether every row is in the answer. */
  readonly isExact: boolean;
}

export function readingOf(db: Kysely<unknown>, dialect: ControlDialect, wanted: Wanted): Reading {
  const { dataset, search } = wanted;
  const { conditions, remaining } = compileFilters(search.filters, dataset, dialect);
  const isExact = remaining.length === 0;
  const { columns, textOf } = isExact
    ? written(dataset, search, dialect)
    : matched(dataset, search, remaining);
  const order = orderOf(dataset);
  const all = conditionsOf(wanted, conditions);
  const names = sql.join(order.map((column) => sql.ref(column)));
  const [past, direction] = dataset.time ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`));
  const selected = sql.join([...columns, ...order.map((column) => sql.ref(column))]);
  const table = sql.table(dataset.table);
  return {
    textOf,
    isExact,
    read: async (after, rows) => {
      const place = after && sql.join(order.map((column) => after[column]));
      const behind = place ? [sql`(${names}) ${past} (${place})`] : [];
      const query = sql<Row>`select ${selected} from ${table}
        where ${sql.join([...all, ...behind], sql` and `)} order by ${ordered} limit ${rows}`;
      return (await query.execute(db)).rows;
    },
    count: async (most) => {
      const query = sql<{ rows: number }>`select count(*) as rows from
        (select 1 from ${table} where ${sql.join(all, sql` and `)} limit ${most}) as counted`;
      return Number((await query.execute(db)).rows[0]?.rows);
    },
  };
}

/** The columns that say where a row stands in the order of answers. */
export function orderOf({ columns, time, key }: Dataset): string[] {
  const timeColumn = time && columns[time]?.column;
  return timeColumn ? [timeColumn, key] : [key];
}

function conditionsOf(
  { dataset, ownerId, search: { range }, upTo }: Wanted,
  conditions: CompiledFilters['conditions'],
): RawBuilder<unknown>[] {
  const timeColumn = dataset.time && dataset.columns[dataset.time]?.column;
  return [
    sql`owner_id = ${ownerId}`,
    ...(timeColumn && range
      ? [sql`${sql.ref(timeColumn)} >= ${range.start}`, sql`${sql.ref(timeColumn)} < ${range.end}`]
      : []),
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

function matched(dataset: Dataset, { returns }: Search, remaining: readonly Filter[]): Writing {
  const matches = matcher(remaining);
  return {
    columns: Object.values(dataset.columns).map(({ column }) => sql.ref(column)),
    textOf: (row) => {
      const record = readRecord(row, dataset);
      return matches(record) ? JSON.stringify(project(record, returns)) : undefined;
    },
  };
}
