import { type Kysely, sql } from 'kysely';
import { Refusal } from '../../platform/errors.ts';
import { type CompiledFilters, compileFilters } from '../../search/compiler.ts';
import type { Dataset } from '../../search/dataset.ts';
import { matcher } from '../../search/evaluator.ts';
import { readRecord, recordWriter } from '../../search/record.ts';
import type { Search } from '../../search/request.ts';
import type { ControlDialect } from '../connect.ts';

export interface ScanRequest {
  readonly dataset: Dataset;
  readonly ownerId: string;
  readonly search: Search;
  /** An answer with more rows is refused. */
  readonly mostRows: number;
}

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = 5_000;

/** Reads the owner's records that match, in the order of the dataset, as the JSON text of an array. */
export async function scan(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: ScanRequest,
): Promise<string> {
  const { dataset, search, mostRows } = request;
  const { conditions, remaining } = compileFilters(search.filters, dataset, dialect);
  const read = reader(db, request, conditions);
  const matches = remaining.length > 0 ? matcher(remaining) : undefined;
  const write = recordWriter(dataset, search.returns);
  const texts: string[] = [];
  for (let last: Row | undefined; ; ) {
    const rows = await read(last);
    for (const row of rows) {
      if (matches?.(readRecord(row, dataset)) ?? true) texts.push(write(row));
    }
    if (texts.length > mostRows) {
      throw new Refusal(
        'RESULT_TOO_LARGE',
        `More than ${mostRows} records match: ${dataset.time ? 'narrow timeFilter (startTime, endTime) or ' : ''}add filters.`,
      );
    }
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) return `[${texts.join(',')}]`;
  }
}

/** Reads the next rows after `last` by keyset, so that a long scan never counts rows it has already seen. */
function reader(
  db: Kysely<unknown>,
  { dataset, ownerId, search: { range } }: ScanRequest,
  conditions: CompiledFilters['conditions'],
) {
  const timeColumn = dataset.time && dataset.columns[dataset.time]?.column;
  const order = timeColumn ? [timeColumn, dataset.key] : [dataset.key];
  const names = sql.join(order.map((column) => sql.ref(column)));
  const [past, direction] = timeColumn ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const ordered = sql.join(order.map((column) => sql`${sql.ref(column)} ${direction}`));
  const columns = [...new Set([...Object.values(dataset.columns).map(({ column }) => column), dataset.key])];
  const all = [
    sql`owner_id = ${ownerId}`,
    ...(timeColumn && range
      ? [sql`${sql.ref(timeColumn)} >= ${range.start}`, sql`${sql.ref(timeColumn)} < ${range.end}`]
      : []),
    ...conditions,
  ];
  return async (last: Row | undefined): Promise<Row[]> => {
    const after = last ? [sql`(${names}) ${past} (${sql.join(order.map((column) => last[column]))})`] : [];
    const query = sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(dataset.table)}
      where ${sql.join([...all, ...after], sql` and `)} order by ${ordered} limit ${rowsAtOnce}`;
    return (await query.execute(db)).rows;
  };
}
