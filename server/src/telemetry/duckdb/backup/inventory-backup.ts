import { BIGINT, type DuckDBValue } from '@duckdb/node-api';
import type { ScopePositions } from '../../evaluation-history.ts';
import type { ResourceVersion } from '../../resource.ts';
import type { CollectionAttempt, ScopeStatus } from '../../snapshot.ts';
import { systemTenant } from '../engine/statements.ts';
import type { Inventory } from '../inventory/inventory.ts';
import {
  attemptsTable,
  factColumns,
  facts,
  scopeColumns,
  scopesTable,
  versionsTable,
} from '../inventory/inventory-tables.ts';
import type { BatchReaderDeps } from '../read/batch-reader.ts';

/** Version ids per query. */
const atOnce = 1_000;

const columns = `id, ${scopeColumns}, key, config, tags, since,
  case when closed > $upTo then null else until end as until,
  case when closed > $upTo then null else closed end as closed,
  coalesce(seen_started, started) as seen_started, coalesce(seen_ended, ended) as seen_ended, ${factColumns.join(', ')}`;

export interface InventoryBackupDeps extends BatchReaderDeps {
  readonly inventory: Inventory;
}

/** The resource versions of some accounts up to one id; later snapshots close versions but change nothing else. */
export class InventoryBackup {
  readonly #deps: InventoryBackupDeps;
  readonly #accounts: ReadonlySet<string>;
  readonly #upTo: number;

  constructor(deps: InventoryBackupDeps, accounts: ReadonlySet<string>) {
    this.#deps = deps;
    this.#accounts = accounts;
    this.#upTo = deps.inventory.exists ? deps.inventory.lastNumber : 0;
  }

  async count(): Promise<number> {
    if (this.#upTo === 0) return 0;
    const rows = await this.#rows(
      `select account, count(*) as count from ${versionsTable} where id <= $upTo group by account`,
      { upTo: this.#upTo },
    );
    return rows
      .filter(({ account }) => this.#accounts.has(String(account)))
      .reduce((sum, { count }) => sum + Number(count), 0);
  }

  async *read(): AsyncGenerator<ResourceVersion> {
    for (let after = 0; after < this.#upTo; after += atOnce) {
      const rows = await this.#rows(
        `select ${columns} from ${versionsTable} left join ${scopesTable} using (${scopeColumns})
          where id > $after and id <= $last and id <= $upTo order by id`,
        { after, last: after + atOnce, upTo: this.#upTo },
      );
      for (const row of rows) if (this.#accounts.has(String(row.account))) yield versionOf(row);
    }
  }

  /** The history of the scopes. */
  async *attempts(): AsyncGenerator<CollectionAttempt> {
    if (this.#upTo === 0) return;
    for (let offset = 0; ; offset += atOnce) {
      const rows = await this.#rows(
        `select * from ${attemptsTable} where id <= $upTo order by id, ${scopeColumns}, started
          limit ${atOnce} offset $offset`,
        { upTo: this.#upTo, offset },
      );
      for (const row of rows) if (this.#accounts.has(String(row.account))) yield attemptOf(row);
      if (rows.length < atOnce) return;
    }
  }

  /** Of all scopes; one may come twice while others are added. Changes after the snapshot count as made at its end. */
  async *scopes(): AsyncGenerator<ScopePositions> {
    if (this.#upTo === 0) return;
    for (let offset = 0; ; offset += atOnce) {
      const rows = await this.#rows(
        `select ${scopeColumns}, least(changed, $upTo) as changed, least(status_changed, $upTo) as status_changed
          from ${scopesTable} order by ${scopeColumns} limit ${atOnce} offset $offset`,
        { upTo: this.#upTo, offset },
      );
      for (const row of rows) if (this.#accounts.has(String(row.account))) yield positionsOf(row);
      if (rows.length < atOnce) return;
    }
  }

  async #rows(sql: string, numbers: Readonly<Record<string, number>>) {
    const { engine, statements } = this.#deps;
    const values = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, BigInt(value)]));
    const types = Object.fromEntries(Object.keys(numbers).map((name) => [name, BIGINT]));
    const result = await statements.run(systemTenant, () =>
      engine.use((connection) => connection.runAndReadAll(sql, values, types)),
    );
    return result.getRowObjects();
  }
}

function versionOf(row: Readonly<Record<string, DuckDBValue>>): ResourceVersion {
  const known = facts
    .map((fact) => [fact, row[fact.toLowerCase()]] as const)
    .filter(([, value]) => value !== null);
  return {
    account: String(row.account),
    kind: String(row.kind),
    cloudAccount: String(row.cloud_account),
    region: String(row.region),
    key: String(row.key),
    facts: Object.fromEntries(known),
    config: String(row.config),
    ...(row.tags !== null && { tags: String(row.tags) }),
    since: Number(row.since),
    ...(row.until !== null && { until: Number(row.until) }),
    seenStarted: Number(row.seen_started),
    seenEnded: Number(row.seen_ended),
    opened: Number(row.id),
    ...(row.closed !== null && { closed: Number(row.closed) }),
  };
}

function attemptOf(row: Readonly<Record<string, DuckDBValue>>): CollectionAttempt {
  return {
    account: String(row.account),
    kind: String(row.kind),
    cloudAccount: String(row.cloud_account),
    region: String(row.region),
    started: Number(row.started),
    ended: Number(row.ended),
    status: String(row.status) as ScopeStatus,
    reason: String(row.reason),
    resources: Number(row.resources),
    unread: JSON.parse(String(row.unread ?? '[]')),
    isComplete: row.is_complete === true,
    position: Number(row.id),
  };
}

function positionsOf(row: Readonly<Record<string, DuckDBValue>>): ScopePositions {
  return {
    account: String(row.account),
    kind: String(row.kind),
    cloudAccount: String(row.cloud_account),
    region: String(row.region),
    changed: Number(row.changed),
    statusChanged: Number(row.status_changed),
  };
}
