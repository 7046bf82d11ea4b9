import { BIGINT, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { inventoryRecord } from '../../inventory-record.ts';
import type { FirstPage, Page, RecordPosition } from '../../page.ts';
import type { ProviderSearch } from '../../provider-search.ts';
import type { CloudAccountProvider, KnownCloudAccount } from '../../resource-search.ts';
import type { Provider } from '../../served-datasource.ts';
import type { Engine } from '../engine/engine.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { attemptsTable, sameScope, scopeColumns, versionsTable } from '../inventory/inventory-tables.ts';
import { columnsSql, documentSql, instantSql, membersSql } from '../inventory/resource-document.ts';
import { bind, joined, plain, type Sql, sql } from '../sql/sql.ts';
import { conditionOf, DerivedPages, emptyPage, type PageSearch } from './derived-pages.ts';

const maxVersions = 1_000;
const maxCloudAccounts = 100_000;

/** Members of a version, besides those of the resource. */
const validity = {
  validFrom: instantSql('since'),
  validUntil: `coalesce(${instantSql('until')}, 'null')`,
};

/** Searches the resources of the inventory, page by page. */
export class ResourceReader {
  readonly #pages: DerivedPages;
  readonly #inventory: Inventory;

  constructor(engine: Engine, inventory: Inventory, statements: FairQueue) {
    this.#pages = new DerivedPages(engine, statements);
    this.#inventory = inventory;
  }

  async first(search: ProviderSearch, rows: number, signal?: AbortSignal): Promise<FirstPage> {
    return this.#inventory.exists ? this.#pages.first(pageSearchOf(search), rows, signal) : emptyPage;
  }

  async page(
    search: ProviderSearch,
    after: RecordPosition | undefined,
    rows: number,
    signal?: AbortSignal,
  ): Promise<Page> {
    return this.#inventory.exists ? this.#pages.page(pageSearchOf(search), after, rows, signal) : emptyPage;
  }

  /** The versions of a resource as JSON separated by commas, newest first. */
  async versions(account: string, provider: Provider, urn: string): Promise<string> {
    if (!this.#inventory.exists) return '';
    const shown = sql`select ${plain(documentSql(provider, undefined, validity))} as shown, since, id
      from (select *, since as t from ${plain(versionsTable)} where account = ${bind(account, VARCHAR)}
        and starts_with(kind, ${prefixOf(provider)}) and urn = ${bind(urn, VARCHAR)}
        order by since desc, id desc limit ${plain(`${maxVersions}`)})`;
    const joinedRows = sql`select string_agg(shown, ',' order by since desc, id desc) from (${shown})`;
    const chunk = await this.#pages.read(joinedRows, account, undefined);
    return String(chunk.getColumnValues(0)[0] ?? '');
  }

  /** The AWS accounts, subscriptions, projects or clusters of which resources are stored. */
  async cloudAccounts(account: string, provider: CloudAccountProvider): Promise<KnownCloudAccount[]> {
    if (!this.#inventory.exists) return [];
    const [parent, id, name] = {
      aws: [`''`, 'account_id', 'account_alias'],
      k8s: [`''`, 'cluster_id', `''`],
      azure: ['tenant_id', 'subscription_id', 'subscription_name'],
      gcp: ['organization_id', 'project_id', 'project_name'],
    }[provider].map(plain) as [Sql, Sql, Sql];
    const found = sql`select coalesce(max(${parent}), '') as parent, ${id} as id,
        coalesce(arg_max(${name}, since), '') as name from ${plain(versionsTable)}
      where account = ${bind(account, VARCHAR)} and starts_with(kind, ${prefixOf(provider)}) and until is null
        and ${id} <> '' group by ${id}`;
    const rows = sql`select coalesce(to_json(list({'parent': parent, 'id': id, 'name': name} order by parent, id)), '[]')
      from (select * from (${found}) order by parent, id limit ${plain(`${maxCloudAccounts}`)})`;
    const chunk = await this.#pages.read(rows, account, undefined);
    return JSON.parse(String(chunk.getColumnValues(0)[0]));
  }
}

function pageSearchOf(search: ProviderSearch): PageSearch {
  return {
    account: search.account,
    found: () => foundSql(search),
    document: documentSql(search.provider, search.returns),
  };
}

/** The prefix of the kinds of a provider. */
function prefixOf(provider: Provider): Sql {
  return bind(`LW_CFG_${provider.toUpperCase()}_`, VARCHAR);
}

/** The versions that were current at the last complete collection of their scope in the range, with its time as `t`. */
function foundSql({ account, provider, range, filters, upTo }: ProviderSearch): Sql {
  const own = () => sql`account = ${bind(account, VARCHAR)}
    and starts_with(kind, ${prefixOf(provider)})`;
  const number = bind(BigInt(upTo), BIGINT);
  const collected = sql`(select ${plain(scopeColumns)}, max(started) as t from ${plain(attemptsTable)}
    where ${own()} and is_complete and id <= ${number} and started >= ${bind(BigInt(range.start), BIGINT)}
      and started < ${bind(BigInt(range.end), BIGINT)} group by ${plain(scopeColumns)}) c`;
  const versions = sql`(select v.*, v.id as seq, 0 as n, c.t as t from ${plain(versionsTable)} v
    join ${collected} on ${plain(sameScope('v', 'c'))}
    where v.id <= ${number} and v.since <= c.t and (v.until is null or v.until > c.t or v.closed > ${number}))`;
  const conditions = filters.map((filter) => conditionOf(filter, inventoryRecord, membersSql(provider)));
  const where = conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : plain('');
  return sql`(select * from (select *, ${plain(columnsSql(provider))} from ${versions}) ${where})`;
}
