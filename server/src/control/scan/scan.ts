import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Refusal } from '../../platform/errors.ts';
import { type CompiledFilters, compileFilters } from '../../search/compiler.ts';
import type { Dataset } from '../../search/dataset.ts';
import { matcher } from '../../search/evaluator.ts';
import type { Filter } from '../../search/filter.ts';
import { project, readRecord } from '../../search/record.ts';
import { recordSql } from '../../search/record-sql.ts';
import type { Search } from '../../search/request.ts';
import type { ControlDialect } from '../connect.ts';

export interface ScanRequest {
  readonly dataset: Dataset;
  readonly ownerId: string;
  readonly search: Search;
  /** An answer with more rows is refused. */
  readonly mostRows: number;
  /** Records as JSON text that the answer begins with. */
  readonly ahead?: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = 5_000;

/** Reads the owner's records that match, in the order of the dataset, as the JSON text of a whole answer. */
export async function scan(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: ScanRequest,
): Promise<string> {
  const { dataset, search, mostRows, ahead = [] } = request;
  const { conditions, remaining } = compileFilters(search.filters, dataset, dialect);
  const { columns, textOf } =
    remaining.length === 0 ? written(dataset, search, dialect) : matched(dataset, search, remaining);
  const read = reader(db, request, conditions, columns);
  const texts = [...ahead];
  for (let last: Row | undefined; ; ) {
    const rows = await read(last);
    for (const row of rows) {
      const text = textOf(row);
      if (text !== undefined) texts.push(text);
    }
    if (texts.length - ahead.length > mostRows) {
      throw new Refusal(
        'RESULT_TOO_LARGE',
        `More than ${mostRows} records match: ${dataset.time ? 'narrow timeFilter (startTime, endTime) or ' : ''}add filters.`,
      );
    }
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) return `{"data":[${texts.join(',')}]}`;
  }
}

/** What to read and how a row becomes the text of a record; undefined leaves it out. */
interface Reading {
  readonly columns: readonly RawBuilder<unknown>[];
  textOf(row: Row): string | undefined;
}

/** The conditions say it all, so the store writes the records. */
function written(dataset: Dataset, { returns }: Search, dialect: ControlDialect): Reading {
  return {
    columns: [sql`${recordSql(dataset, dialect, returns)} as record_text`],
    textOf: (row) => row.record_text as string,
  };
}

function matched(dataset: Dataset, { returns }: Search, remaining: readonly Filter[]): Reading {
  const matches = matcher(remaining);
  return {
    columns: Object.values(dataset.columns).map(({ column }) => sql.ref(column)),
    textOf: (row) => {
      const record = readRecord(row, dataset);
      return matches(record) ? JSON.stringify(project(record, returns)) : undefined;
    },
  };
}

/** Reads the next rows after `last` by keyset, so that a long scan never counts rows it has already seen. */
function reader(
  db: Kysely<unknown>,
  { dataset, ownerId, search: { range } }: ScanRequest,
  conditions: CompiledFilters['conditions'],
  columns: Reading['columns'],
) {
  const timeColumn = dataset.time && dataset.columns[dataset.time]?.column;
  const order = timeColumn ? [timeColumn, dataset.key] : [dataset.key];
  const names = sql.join(order.map((column) => sql.ref(column)));
  const [past, direction] = timeColumn ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`));
  const selected = sql.join([...columns, ...order.map((column) => sql.ref(column))]);
  const all = [
    sql`owner_id = ${ownerId}`,
    ...(timeColumn && range
      ? [sql`${sql.ref(timeColumn)} >= ${range.start}`, sql`${sql.ref(timeColumn)} < ${range.end}`]
      : []),
    ...conditions,
  ];
  return async (last: Row | undefined): Promise<Row[]> => {
    const after = last ? [sql`(${names}) ${past} (${sql.join(order.map((column) => last[column]))})`] : [];
    const query = sql<Row>`select ${selected} from ${sql.table(dataset.table)}
      where ${sql.join([...all, ...after], sql` and `)} order by ${ordered} limit ${rowsAtOnce}`;
    return (await query.execute(db)).rows;
  };
}
