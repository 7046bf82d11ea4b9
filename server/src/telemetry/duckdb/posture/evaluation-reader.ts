import { BIGINT, VARCHAR } from '@duckdb/node-api';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import { evaluationRecord } from '../../evaluation-record.ts';
import type { FirstPage, Page, RecordPosition } from '../../page.ts';
import type { ProviderSearch } from '../../provider-search.ts';
import type { Engine } from '../engine/engine.ts';
import type { Inventory } from '../inventory/inventory.ts';
import {
  evaluatedPoliciesTable,
  evaluationsTable,
  placeColumns,
  placesTable,
  runsTable,
} from '../inventory/posture-tables.ts';
import { objectSql } from '../inventory/resource-document.ts';
import { conditionOf, DerivedPages, emptyPage, type PageSearch } from '../read/derived-pages.ts';
import { bind, joined, plain, type Sql, sql } from '../sql/sql.ts';
import { evaluationColumnsSql, evaluationMembersSql } from './evaluation-document.ts';

/** Searches evaluations, page by page. */
export class EvaluationReader {
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
}

function pageSearchOf(search: ProviderSearch): PageSearch {
  const { account, provider, returns } = search;
  return {
    account,
    found: () => foundSql(search),
    document: objectSql(evaluationMembersSql(provider), returns),
  };
}

/** The newest evaluation of each policy and resource in the range. A run confirms all results that it did not change. */
function foundSql({ account, provider, range, filters, upTo }: ProviderSearch): Sql {
  const own = (table: string) => sql`${plain(table)}.account = ${bind(account, VARCHAR)}`;
  const revision = bind(BigInt(upTo), BIGINT);
  const [start, end] = [bind(BigInt(range.start), BIGINT), bind(BigInt(range.end), BIGINT)];
  const ended = sql`case when e.closed > ${revision} then null else e.until end`;
  const intervals = sql`(select e.*, least(coalesce(${ended}, ${end}), ${end}) as visible_until
    from ${plain(evaluationsTable)} e where ${own('e')} and e.opened <= ${revision} and e.opened_at < ${end}
      and coalesce(${ended}, ${end}) > ${start})`;
  const evaluated = sql`(select i.* exclude (id), r.run_at as t, i.id as seq, 0 as n from ${intervals} i
    asof join (select * from ${plain(runsTable)} r where ${own('r')} and r.revision <= ${revision}) r
      on r.policy = i.policy and i.visible_until > r.run_at
    where r.run_at >= ${start} and r.run_at >= i.opened_at
    qualify row_number() over (partition by i.policy, i.key order by r.run_at desc, i.id desc) = 1)`;
  const columns = placeColumns.map((column) => `l.${column}`).join(', ');
  const complete = sql`(select v.*, p.title, p.severity, p.section, ${plain(columns)} from ${evaluated} v
    join ${plain(placesTable)} l on ${own('l')} and l.place = v.place and l.provider = ${bind(provider, VARCHAR)}
    join ${plain(evaluatedPoliciesTable)} p on ${own('p')} and p.policy = v.policy)`;
  const members = evaluationMembersSql(provider);
  const conditions = filters.map((filter) => conditionOf(filter, evaluationRecord, members));
  const where = conditions.length > 0 ? sql`where ${joined(conditions, ' and ')}` : plain('');
  return sql`(select * from (select *, ${plain(evaluationColumnsSql)} from ${complete}) ${where})`;
}
