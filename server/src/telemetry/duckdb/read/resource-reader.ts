import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { StreamedBuffer } from '../../../platform/streamed-buffer.ts';
import type { Filter } from '../../../search/filter.ts';
import { readsString } from '../../../search/operators.ts';
import { maxRows } from '../../../search/page.ts';
import { inventoryRecord } from '../../inventory-record.ts';
import type { FirstPage, Page, RecordPosition } from '../../page.ts';
import type { KnownCloudAccount, ResourceSearch } from '../../resource-search.ts';
import type { Provider } from '../../served-datasource.ts';
import type { Engine } from '../engine/engine.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { attemptsTable, sameScope, scopeColumns, versionsTable } from '../inventory/inventory-tables.ts';
import { columnsSql, documentSql, instantSql, membersSql } from '../inventory/resource-document.ts';
import { compileDocumentFilter, compileFilter } from '../sql/filter-sql.ts';
import { bind, joined, numbered, plain, type Sql, sql } from '../sql/sql.ts';
import { pageOf, unorderedRecordsSql } from './page-records.ts';
import { refuseTooLarge } from './reader.ts';

const maxVersions = 1_000;
const maxCloudAccounts = 100_000;

/** Members of a version, besides those of the resource. */
const validity = {
  validFrom: instantSql('since'),
  validUntil: `coalesce(${instantSql('until')}, 'null')`,
};

const emptyPage: FirstPage = { text: StreamedBuffer.none, rows: 0, last: undefined, total: 0 };

/** Searches the resources of the inventory, page by page. */
export class ResourceReader {
  readonly #engine: Engine;
  readonly #inventory: Inventory;
  readonly #statements: FairQueue;

  constructor(engine: Engine, inventory: Inventory, statements: FairQueue) {
    this.#engine = engine;
    this.#inventory = inventory;
    this.#statements = statements;
  }

  async first(search: ResourceSearch, rows: number, signal?: AbortSignal): Promise<FirstPage> {
    const page = await this.page(search, undefined, rows, signal);
    if (page.rows < rows) return { ...page, total: page.rows };
    const counting = sql`select count(*) from (select 1 from ${foundSql(search)} limit ${plain(`${maxRows}`)})`;
    const chunk = await this.#read(counting, search.account, signal);
    return { ...page, total: Number(chunk.getColumnValues(0)[0]) };
  }

  async page(
    search: ResourceSearch,
    after: RecordPosition | undefined,
    rows: number,
    signal?: AbortSignal,
  ): Promise<Page> {
    if (!this.#inventory.exists) return emptyPage;
    const position = after
      ? sql`where (t, seq) < (${bind(BigInt(after.t), BIGINT)}, ${bind(BigInt(after.seq), BIGINT)})`
      : plain('');
    const newest = sql`(select * from ${foundSql(search)} ${position} order by t desc, seq desc
      limit ${plain(`${rows}`)})`;
    // Documents are built for the rows of the page only.
    const document = plain(documentSql(search.provider, search.returns));
    const chunk = await this.#read(unorderedRecordsSql(document, newest), search.account, signal);
    return pageOf(chunk, rows);
  }

  /** The versions of a resource as JSON separated by commas, newest first. */
  async versions(account: string, provider: Provider, urn: string): Promise<string> {
    if (!this.#inventory.exists) return '';
    const shown = sql`select ${plain(documentSql(provider, undefined, validity))} as shown, since, id
      from (select *, since as t from ${plain(versionsTable)} where account = ${bind(account, VARCHAR)}
        and starts_with(kind, ${prefixOf(provider)}) and urn = ${bind(urn, VARCHAR)}
        order by since desc, id desc limit ${plain(`${maxVersions}`)})`;
    const joinedRows = sql`select string_agg(shown, ',' order by since desc, id desc) from (${shown})`;
    const chunk = await this.#read(joinedRows, account, undefined);
    return String(chunk.getColumnValues(0)[0] ?? '');
  }

  /** The subscriptions or projects of which resources are stored. */
  async cloudAccounts(account: string, provider: 'azure' | 'gcp'): Promise<KnownCloudAccount[]> {
    if (!this.#inventory.exists) return [];
    const [parent, id, name] = {
      azure: ['tenant_id', 'subscription_id', 'subscription_name'],
      gcp: ['organization_id', 'project_id', 'project_name'],
    }[provider].map(plain) as [Sql, Sql, Sql];
    const found = sql`select coalesce(max(${parent}), '') as parent, ${id} as id,
        coalesce(arg_max(${name}, since), '') as name from ${plain(versionsTable)}
      where account = ${bind(account, VARCHAR)} and starts_with(kind, ${prefixOf(provider)}) and until is null
        and ${id} <> '' group by ${id}`;
    const rows = sql`select coalesce(to_json(list({'parent': parent, 'id': id, 'name': name} order by parent, id)), '[]')
      from (select * from (${found}) order by parent, id limit ${plain(`${maxCloudAccounts}`)})`;
    const chunk = await this.#read(rows, account, undefined);
    return JSON.parse(String(chunk.getColumnValues(0)[0]));
  }

  #read(statement: Sql, account: string, signal: AbortSignal | undefined) {
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

/** The prefix of the kinds of a provider. */
function prefixOf(provider: Provider): Sql {
  return bind(`LW_CFG_${provider.toUpperCase()}_`, VARCHAR);
}

/** The versions that were current at the last complete collection of their scope in the range, with its time as `t`. */
function foundSql({ account, provider, range, filters, upTo }: ResourceSearch): Sql {
  const own = () => sql`account = ${bind(account, VARCHAR)}
    and starts_with(kind, ${prefixOf(provider)})`;
  const number = bind(BigInt(upTo), BIGINT);
  const collected = sql`(select ${plain(scopeColumns)}, max(started) as t from ${plain(attemptsTable)}
    where ${own()} and is_complete and id <= ${number} and started >= ${bind(BigInt(range.start), BIGINT)}
      and started < ${bind(BigInt(range.end), BIGINT)} group by ${plain(scopeColumns)}) c`;
  const versions = sql`(select v.*, v.id as seq, 0 as n, c.t as t from ${plain(versionsTable)} v
    join ${collected} on ${plain(sameScope('v', 'c'))}
    where v.id <= ${number} and v.since <= c.t and (v.until is null or v.until > c.t or v.closed > ${number}))`;
  const conditions = filters.map((filter) => conditionOf(filter, membersSql(provider)));
  const where = conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : plain('');
  return sql`(select * from (select *, ${plain(columnsSql(provider))} from ${versions}) ${where})`;
}

/** Strings and times are compared by their columns, the members of JSON documents inside them. */
function conditionOf(filter: Filter, members: Readonly<Record<string, Sql>>): Sql {
  const { field, steps } = filter.path;
  const type = inventoryRecord.members[field]?.type;
  const isColumn =
    steps.length === 0 && (type === 'string' || (type === 'time' && !readsString(filter.test)));
  if (isColumn) return compileFilter(filter, inventoryRecord, { mistyped: 'none' });
  return compileDocumentFilter(filter, sql`${members[field] ?? plain('null')}::json`);
}
