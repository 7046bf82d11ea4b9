import type { DuckDBValue } from '@duckdb/node-api';
import { type EvaluationStatus, placeFacts } from '../../evaluation.ts';
import type {
  EvaluationPlace,
  EvaluationRun,
  LastEvaluation,
  StoredEvaluation,
} from '../../evaluation-history.ts';
import { systemTenant } from '../engine/statements.ts';
import {
  evaluatedPoliciesTable,
  evaluationsTable,
  placeColumns,
  placesTable,
  runsTable,
} from '../inventory/posture-tables.ts';
import { type LastNumbers, lastNumbers } from '../posture/last-numbers.ts';
import { BatchReader } from '../read/batch-reader.ts';
import type { InventoryBackupDeps } from './inventory-backup.ts';

/** Rows per query. */
const atOnce = 1_000;
/** Rows of runs per query; all rows of a run are read together. */
const runRowsAtOnce = 10_000;

const columns = `id, account, policy, key, urn, place, status, reason, exception, result, since, opened_at, opened,
  case when closed > $revision then null else until end as until,
  case when closed > $revision then null else closed end as closed`;

type Row = Readonly<Record<string, DuckDBValue>>;

/** The evaluations of some accounts up to one revision; later ones close results but change nothing else. */
export class PostureBackup {
  readonly #reader: BatchReader;
  readonly #accounts: ReadonlySet<string>;
  readonly #last: LastNumbers;

  private constructor(deps: InventoryBackupDeps, accounts: ReadonlySet<string>, last: LastNumbers) {
    this.#reader = new BatchReader(deps, systemTenant);
    this.#accounts = accounts;
    this.#last = last;
  }

  static async now(deps: InventoryBackupDeps, accounts: ReadonlySet<string>): Promise<PostureBackup> {
    const { engine, statements, inventory } = deps;
    const read = () => statements.run(systemTenant, () => engine.use(lastNumbers));
    return new PostureBackup(deps, accounts, inventory.exists ? await read() : { id: 0, revision: 0 });
  }

  async count(): Promise<number> {
    if (this.#last.revision === 0) return 0;
    const rows = await this.#reader.rows(
      `select account, count(*) as count from ${evaluationsTable} where id <= $last group by account`,
      { last: this.#last.id },
    );
    return this.#ofAccounts(rows).reduce((sum, { count }) => sum + Number(count), 0);
  }

  async *evaluations(): AsyncGenerator<StoredEvaluation> {
    const { id, revision } = this.#last;
    for (let after = 0; after < id; after += atOnce) {
      const rows = await this.#reader.rows(
        `select ${columns} from ${evaluationsTable} where id > $after and id <= $last order by id`,
        { after, last: Math.min(after + atOnce, id), revision },
      );
      yield* this.#ofAccounts(rows).map(evaluationOf);
    }
  }

  /** Of results up to the revision: a cloud account that is evaluated later for the first time must count as new. */
  async *places(): AsyncGenerator<EvaluationPlace> {
    const condition = `exists (select 1 from ${evaluationsTable} e
      where e.account = t.account and e.place = t.place and e.id <= $last)`;
    const values = { last: this.#last.id };
    for await (const rows of this.#pages(
      `select t.* from ${placesTable} t where ${condition}`,
      'place',
      values,
    ))
      yield* rows.map(placeOf);
  }

  /**
   * Of a policy that was evaluated since, only the time of its earlier evaluation is known: as it covers nothing, a restore
   * evaluates the policy completely.
   */
  async *lastEvaluations(): AsyncGenerator<LastEvaluation> {
    const earlier = `select account, policy, max(revision) as revision, arg_max(run_at, revision) as run_at
      from ${runsTable} where revision <= $revision group by account, policy`;
    const isOlder = 'p.revision <= $revision';
    const sql = `select p.* exclude (revision, covers, run_at),
        case when ${isOlder} then p.revision else r.revision end as revision,
        case when ${isOlder} then p.covers else 0 end as covers,
        case when ${isOlder} then p.run_at else r.run_at end as run_at
      from ${evaluatedPoliciesTable} p left join (${earlier}) r using (account, policy)
      where ${isOlder} or r.revision is not null`;
    for await (const rows of this.#pages(sql, 'policy', { revision: this.#last.revision }))
      yield* rows.map(lastEvaluationOf);
  }

  async *runs(): AsyncGenerator<EvaluationRun> {
    const { revision } = this.#last;
    for (let after = 0; after < revision; ) {
      const [next] = await this.#reader.rows(
        `select revision from ${runsTable} where revision > $after and revision <= $last
          order by revision limit 1 offset ${runRowsAtOnce}`,
        { after, last: revision },
      );
      const last = next ? Number(next.revision) : revision;
      const rows = await this.#reader.rows(
        `select account, revision, run_at, to_json(list(policy order by policy))::varchar as policies
          from ${runsTable} where revision > $after and revision <= $last
          group by account, revision, run_at order by revision`,
        { after, last },
      );
      yield* this.#ofAccounts(rows).map(runOf);
      after = last;
    }
  }

  /** Pages by account and another column, which rows that are replaced meanwhile keep. */
  async *#pages(
    sql: string,
    key: string,
    values: Readonly<Record<string, number>>,
  ): AsyncGenerator<readonly Row[]> {
    if (this.#last.revision === 0) return;
    for (let [account, after] = ['', '']; ; ) {
      const rows = await this.#reader.rows(
        `select * from (${sql}) where account > $account or (account = $account and ${key} > $after)
          order by account, ${key} limit ${atOnce}`,
        { ...values, account, after },
      );
      yield this.#ofAccounts(rows);
      const last = rows.at(-1);
      if (!last || rows.length < atOnce) return;
      [account, after] = [String(last.account), String(last[key])];
    }
  }

  #ofAccounts(rows: readonly Row[]): readonly Row[] {
    return rows.filter(({ account }) => this.#accounts.has(String(account)));
  }
}

function evaluationOf(row: Row): StoredEvaluation {
  return {
    id: Number(row.id),
    account: String(row.account),
    policyId: String(row.policy),
    key: String(row.key),
    urn: String(row.urn),
    place: String(row.place),
    status: String(row.status) as EvaluationStatus,
    reason: String(row.reason),
    ...(row.exception !== null && { exceptionId: String(row.exception) }),
    ...(row.result !== null && { result: String(row.result) }),
    since: Number(row.since),
    openedAt: Number(row.opened_at),
    ...(row.until !== null && { until: Number(row.until) }),
    opened: Number(row.opened),
    ...(row.closed !== null && { closed: Number(row.closed) }),
  };
}

function placeOf(row: Row): EvaluationPlace {
  const known = placeFacts
    .map((fact, at) => [fact, row[placeColumns[at] as string]] as const)
    .filter(([, value]) => value !== null);
  return {
    account: String(row.account),
    place: String(row.place),
    provider: String(row.provider),
    cloudAccount: String(row.cloud_account),
    region: String(row.region),
    firstAt: Number(row.first_at),
    facts: Object.fromEntries(known),
  };
}

function lastEvaluationOf(row: Row): LastEvaluation {
  return {
    account: String(row.account),
    policyId: String(row.policy),
    provider: String(row.provider),
    title: String(row.title),
    severity: String(row.severity),
    section: String(row.section),
    basis: String(row.basis),
    revision: Number(row.revision),
    covers: Number(row.covers),
    runAt: Number(row.run_at),
  };
}

function runOf(row: Row): EvaluationRun {
  return {
    account: String(row.account),
    revision: Number(row.revision),
    runAt: Number(row.run_at),
    policyIds: JSON.parse(String(row.policies)),
  };
}
