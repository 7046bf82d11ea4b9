import { BIGINT, type DuckDBConnection } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import type { Filter } from '../../../search/filter.ts';
import { readsString } from '../../../search/operators.ts';
import { maxRows } from '../../../search/page.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import type { FirstPage, Page, RecordPosition } from '../../page.ts';
import type { Engine } from '../engine/engine.ts';
import { compileDocumentFilter, compileFilter } from '../sql/filter-sql.ts';
import { bind, numbered, plain, type Sql, sql } from '../sql/sql.ts';
import { pageOf, unorderedRecordsSql } from './page-records.ts';
import { refuseTooLarge } from './reader.ts';

export const emptyPage: FirstPage = { text: StreamedBuffer.none, rows: 0, last: undefined, total: 0 };

/** A search of records that are not stored as such, but derived from tables of the inventory. */
export interface PageSearch {
  readonly account: string;
  /** The rows, with their time as `t` and their position as `seq`. */
  found(): Sql;
  /** The JSON of a record, from the columns of its row. */
  readonly document: string;
}

/** Pages of derived records, newest first. */
export class DerivedPages {
  readonly #engine: Engine;
  readonly #statements: FairQueue;

  constructor(engine: Engine, statements: FairQueue) {
    this.#engine = engine;
    this.#statements = statements;
  }

  async first(search: PageSearch, rows: number, signal?: AbortSignal): Promise<FirstPage> {
    const page = await this.page(search, undefined, rows, signal);
    if (page.rows < rows) return { ...page, total: page.rows };
    const counting = sql`select count(*) from (select 1 from ${search.found()} limit ${plain(`${maxRows}`)})`;
    const chunk = await this.read(counting, search.account, signal);
    return { ...page, total: Number(chunk.getColumnValues(0)[0]) };
  }

  async page(
    search: PageSearch,
    after: RecordPosition | undefined,
    rows: number,
    signal?: AbortSignal,
  ): Promise<Page> {
    const position = after
      ? sql`where (t, seq) < (${bind(BigInt(after.t), BIGINT)}, ${bind(BigInt(after.seq), BIGINT)})`
      : plain('');
    const newest = sql`(select * from ${search.found()} ${position} order by t desc, seq desc
      limit ${plain(`${rows}`)})`;
    // Documents are built for the rows of the page only.
    const chunk = await this.read(
      unorderedRecordsSql(plain(search.document), newest),
      search.account,
      signal,
    );
    return pageOf(chunk, rows);
  }

  /** The first chunk of a result. */
  read(statement: Sql, account: string, signal: AbortSignal | undefined) {
    const { sql: text, parameters, types } = numbered(statement);
    const read = async (connection: DuckDBConnection) => {
      const prepared = await connection.prepare(text);
      prepared.bind([...parameters], [...types]);
      try {
        const [chunk] = await (await prepared.stream()).fetchAllChunks();
        if (!chunk) throw new Error('The engine returned no row.');
        return chunk;
      } finally {
        prepared.destroySync();
      }
    };
    return this.#statements.run(account, () => this.#engine.use(read, signal), signal).catch(refuseTooLarge);
  }
}

/** Strings and times are compared by their columns, the members of JSON documents inside them. */
export function conditionOf(
  filter: Filter,
  dataset: TelemetryDataset,
  members: Readonly<Record<string, Sql>>,
): Sql {
  const { field, steps } = filter.path;
  const type = dataset.members[field]?.type;
  const isColumn =
    steps.length === 0 && (type === 'string' || (type === 'time' && !readsString(filter.test)));
  if (isColumn) return compileFilter(filter, dataset, { mistyped: 'none' });
  return compileDocumentFilter(filter, sql`${members[field] ?? plain('null')}::json`);
}
