import { BIGINT, type DuckDBConnection, type DuckDBValue, VARCHAR } from '@duckdb/node-api';
import type { Bind, Bound, Tables } from '@vedette/lql/compile/tables';
import { grouped } from '../../../platform/grouped.ts';
import type { CompileWith } from '../../compiled-query.ts';
import {
  type EvaluationStatus,
  identityColumns,
  type PolicyEvaluation,
  placeFacts,
  resourceKey,
} from '../../evaluation.ts';
import { changedUrnsSql } from '../inventory/inventory-sql.ts';
import { versionsTable } from '../inventory/inventory-tables.ts';
import { evaluationsTable, maxReason, placeColumns, placesTable } from '../inventory/posture-tables.ts';
import { createTextTable } from '../inventory/text-columns.ts';
import { typeOf } from '../query/query-executor.ts';
import { identifier } from '../sql/sql.ts';
import type { EvaluationBatch } from './batch.ts';
import { createExempt } from './exempt-violations.ts';
import type { PolicyExtent } from './extent.ts';
import { createGaps, gapTables, placeSql } from './gaps.ts';
import { coveredPosition, noteRuns } from './runs.ts';

/**
 * Evaluates policies in one transaction of the connection: the results are compared with the stored ones, and only changes
 * are written. Returns the results and the last id.
 */
export async function evaluateBatch(
  connection: DuckDBConnection,
  tables: Tables,
  batch: EvaluationBatch,
): Promise<{ readonly results: readonly PolicyEvaluation[]; readonly lastId: number }> {
  const evaluated = batch.policies.filter(({ extent }) => extent !== 'none');
  let lastId = batch.lastId;
  if (evaluated.length > 0) {
    await createInput(connection, batch.account, evaluated);
    const scopes = await readScopes(connection, tables, { ...batch, policies: evaluated });
    await createPolicies(connection, evaluated, scopes);
    for (const one of evaluated) if (!scopes.get(one)?.isEmpty) await readViolations(connection, tables, one);
    await createExempt(connection, evaluated);
    const isPartial = evaluated.every(({ extent }) => extent === 'changed');
    await createGaps(connection, batch.account, { isPartial });
    lastId = await applyResults(connection, batch);
  }
  const position = await coveredPosition(connection, batch);
  await noteRuns(connection, { ...batch, position });
  const counts = await countsOf(connection, batch);
  const changed = await changedViolations(connection, batch);
  for (const table of temporary) await connection.run(`drop table if exists ${table}`);
  const results = batch.policies.map(({ policy, extent }) => ({
    ...{ policyId: policy.id, extent, position, revision: batch.revision },
    counts: counts.get(policy.id) ?? noCounts,
    hasChanges: changed.has(policy.id),
  }));
  return { results, lastId };
}

const temporary = [
  'batch',
  'needs',
  'scope_rows',
  'found',
  'exempt',
  'touched',
  'next',
  'runs',
  ...gapTables,
];
const noCounts: PolicyEvaluation['counts'] = {
  ...{ Compliant: 0, NonCompliant: 0, Suppressed: 0, CouldNotAssess: 0 },
};

async function createInput(
  connection: DuckDBConnection,
  account: string,
  evaluated: readonly PolicyExtent[],
): Promise<void> {
  await connection.run(`create or replace temp table scope_rows (scope bigint, key varchar, urn varchar,
    source_key varchar, cloud_account varchar, region varchar, ${placeColumns.map((column) => `${column} varchar`).join(', ')},
    place varchar)`);
  await connection.run('create or replace temp table found (policy varchar, key varchar, result varchar)');
  await connection.run('create or replace temp table touched (policy varchar, urn varchar)');
  const needs = evaluated.flatMap(({ policy }) => policy.kinds.map((kind) => ({ policy, kind })));
  await createTextTable(connection, 'needs', needs, {
    policy: ['varchar', ({ policy }) => policy.id],
    kind: ['varchar', ({ kind }) => kind],
    is_root: ['boolean', ({ policy, kind }) => policy.kind === kind],
    by_urn: ['boolean', ({ policy, kind }) => policy.kindsByUrn.includes(kind)],
  });
  for (const some of grouped(evaluated, ({ changed }) => JSON.stringify(changed)).values()) {
    const changed = some[0]?.changed;
    const ids = JSON.stringify(some.map(({ policy }) => policy.id));
    if (changed)
      await runWith(
        connection,
        (bind) => `insert into touched select unnest(from_json(${bind(ids)}::varchar, '["varchar"]')), urn
          from (select distinct urn from (${changedUrnsSql(account, changed, bind)}))`,
      );
  }
}

interface Scope {
  readonly number: number;
  /** Nothing can violate a policy without resources in scope. */
  readonly isEmpty: boolean;
}

/** Reads the resources of each scope once. */
async function readScopes(
  connection: DuckDBConnection,
  tables: Tables,
  { account, at, policies }: EvaluationBatch,
): Promise<ReadonlyMap<PolicyExtent, Scope>> {
  const present = await presentKinds(connection, account, at);
  const names = [resourceKey, identityColumns.urn, identityColumns.key, identityColumns.cloudAccount];
  const columns = [...names, identityColumns.region, ...placeFacts].map((name) => identifier(name).sql);
  const aliases = ['key', 'urn', 'source_key', 'cloud_account', 'region', ...placeColumns];
  const named = columns.map((column, at) => `${column} as ${aliases[at]}`).join(', ');
  const known = new Map<string, Scope>();
  const result = new Map<PolicyExtent, Scope>();
  for (const one of policies) {
    const { policy, changed } = one;
    const key = JSON.stringify([policy.scope, changed]);
    let scope = known.get(key);
    if (!scope) {
      const number = known.size;
      const mayExist = policy.scopeKinds?.some((kind) => present.has(kind)) ?? true;
      const rows = mayExist
        ? await insertFrom(
            connection,
            tables,
            policy.resources(changed),
            (all) =>
              `insert into scope_rows select ${number}, *, ${placeSql} from (select ${named} from (${all}))
              where key is not null`,
          )
        : 0;
      scope = { number, isEmpty: rows === 0 };
      known.set(key, scope);
    }
    result.set(one, scope);
  }
  return result;
}

/** Most accounts have no resources of most kinds: a query takes ten milliseconds even then. */
async function presentKinds(
  connection: DuckDBConnection,
  account: string,
  at: number,
): Promise<ReadonlySet<string>> {
  const rows = await connection.runAndReadAll(
    `select distinct kind from ${versionsTable} where account = $account and (until is null or until > $at)`,
    { account, at: BigInt(at) },
    { account: VARCHAR, at: BIGINT },
  );
  return new Set(rows.getRows().map(([kind]) => String(kind)));
}

function createPolicies(
  connection: DuckDBConnection,
  evaluated: readonly PolicyExtent[],
  scopes: ReadonlyMap<PolicyExtent, Scope>,
): Promise<void> {
  return createTextTable(connection, 'batch', evaluated, {
    policy: ['varchar', ({ policy }) => policy.id],
    scope: ['bigint', (one) => scopes.get(one)?.number ?? 0],
    provider: ['varchar', ({ policy }) => policy.provider],
    is_partial: ['boolean', ({ extent }) => extent === 'changed'],
  });
}

async function readViolations(
  connection: DuckDBConnection,
  tables: Tables,
  { policy, changed }: PolicyExtent,
): Promise<void> {
  await insertFrom(
    connection,
    tables,
    policy.violations(changed),
    (rows, bind) =>
      `insert into found select ${bind(policy.id)}, ${identifier(resourceKey).sql}, "row" from (${rows})`,
  );
}

const hasSameResult = `e.status = n.status and e.reason = n.reason and e.exception is not distinct from n.exception`;

/** Of a resource that several cloud accounts have, such as an organization's trail, the account that its key names. */
const ownPlace = `arg_min(s.place, (not contains(s.key, s.cloud_account))::tinyint || s.place)`;

/** What one AWS account may not read of a shared resource, another one may. */
function readBySameAccount(unread: string): string {
  return `(${unread}.provider <> 'aws' or ${unread}.cloud_account = s.cloud_account)`;
}

/** Compares the results with the open evaluations. Returns the last id. */
async function applyResults(connection: DuckDBConnection, batch: EvaluationBatch): Promise<number> {
  const { account, at, revision, lastId } = batch;
  const values = { account, at: BigInt(at), revision: BigInt(revision), lastId: BigInt(lastId) };
  const types = { account: VARCHAR, at: BIGINT, revision: BIGINT, lastId: BIGINT };
  const run = (sql: string) => {
    const used = Object.keys(values).filter((name) => sql.includes(`$${name}`)) as (keyof typeof values)[];
    const pick = <Value>(all: Readonly<Record<string, Value>>) =>
      Object.fromEntries(used.map((name) => [name, all[name] as Value]));
    return connection.run(sql, pick<DuckDBValue>(values), pick(types));
  };
  await run(`create or replace temp table next as
    select policy, key, urn, place, reason, exception, result, case when gap is not null then 'CouldNotAssess'
      when not is_found then 'Compliant' when exception is not null then 'Suppressed' else 'NonCompliant' end as status
    from (select b.policy, s.key, any_value(s.urn) as urn, ${ownPlace} as place,
        max(coalesce(g.reason, u.reason, k.reason)) as gap, bool_or(f.key is not null) as is_found,
        any_value(x.exception) as exception, any_value(f.result) as result,
        left(coalesce(gap, json_extract_string(any_value(f.result), '$.COMPLIANCE_FAILURE_REASON'), ''), ${maxReason}) as reason
      from batch b join scope_rows s on s.scope = b.scope
      left join found f on f.policy = b.policy and f.key = s.key
      left join exempt x on x.policy = b.policy and x.key = s.key
      left join gaps g on g.policy = b.policy and g.place = s.place
      left join unread u on u.policy = b.policy and u.urn = s.urn and ${readBySameAccount('u')}
      left join unread k on k.policy = b.policy and k.urn = s.source_key and ${readBySameAccount('k')}
      group by b.policy, s.key)`);
  // One result for each key: several places may lack the same resource, for different reasons.
  await run(`insert into next select distinct on (policy, key) policy, key, urn, place, left(reason, ${maxReason}), null, null,
      'CouldNotAssess'
    from gap_rows g where not exists (select 1 from next n where n.policy = g.policy and n.key = g.key)
    order by policy, key, reason, place`);
  await run(`create or replace temp table current as select e.* from ${evaluationsTable} e
    join batch b on b.policy = e.policy where e.account = $account and e.until is null
      and (not b.is_partial or exists (select 1 from touched t where t.policy = e.policy and t.urn = e.urn))`);
  await run(`update ${evaluationsTable} set until = $at, closed = $revision where id in (
    select id from current e where not exists (
      select 1 from next n where n.policy = e.policy and n.key = e.key and ${hasSameResult}))`);
  const inserted = await run(`insert into ${evaluationsTable}
    select $lastId + row_number() over (order by n.policy, n.key), $account, n.policy, n.key, n.urn, n.place, n.status,
      n.reason, n.exception, n.result, coalesce(case when e.status = n.status then e.since end, $at), $at, null,
      $revision, null
    from next n left join current e on e.policy = n.policy and e.key = n.key
    where e.id is null or not (${hasSameResult})`);
  await run(`insert into ${placesTable} select $account, place, any_value(provider), any_value(cloud_account),
      any_value(region), $at, ${placeColumns.map((column) => `any_value(${column})`).join(', ')}
    from (select distinct place, provider, cloud_account, region, ${placeColumns.join(', ')}
      from scope_rows join batch using (scope)
      union select distinct place, provider, cloud_account, region, ${placeColumns.join(', ')} from gap_rows) p
    where not exists (select 1 from ${placesTable} k where k.account = $account and k.place = p.place) group by place`);
  await connection.run('drop table current');
  return lastId + inserted.rowsChanged;
}

/** Policies with violations that began or ended after the reported revision. */
async function changedViolations(
  connection: DuckDBConnection,
  { account }: EvaluationBatch,
): Promise<ReadonlySet<string>> {
  const rows = await connection.runAndReadAll(
    `select distinct r.policy from runs r join ${evaluationsTable} e on e.policy = r.policy
      where e.account = $account and ((e.status <> 'Compliant' and e.closed > r.reported)
        or (e.status in ('NonCompliant', 'Suppressed') and e.opened > r.reported and e.until is null))`,
    { account },
  );
  return new Set(rows.getRows().map(([policy]) => String(policy)));
}

async function countsOf(
  connection: DuckDBConnection,
  { account, policies }: EvaluationBatch,
): Promise<ReadonlyMap<string, PolicyEvaluation['counts']>> {
  const ids = policies.map(({ policy }) => policy.id);
  const counted = await connection.runAndReadAll(
    `select policy, status, count(*) from ${evaluationsTable}
      where account = $account and until is null
        and policy in (select unnest(from_json($ids, '["varchar"]'))) group by all`,
    { account, ids: JSON.stringify(ids) },
  );
  const result = new Map<string, Record<EvaluationStatus, number>>();
  for (const [policy, status, count] of counted.getRows()) {
    const counts = result.get(String(policy)) ?? { ...noCounts };
    counts[status as EvaluationStatus] = Number(count);
    result.set(String(policy), counts);
  }
  return result;
}

/** Runs a statement around the rows of a compiled query; returns the number of changed rows. */
async function insertFrom(
  connection: DuckDBConnection,
  tables: Tables,
  compileWith: CompileWith,
  statement: (rows: string, bind: Bind) => string,
): Promise<number> {
  const { sql, parameters } = compileWith(tables);
  return runWith(connection, (bind) => statement(sql, bind), parameters);
}

async function runWith(
  connection: DuckDBConnection,
  statement: (bind: Bind) => string,
  before: readonly Bound[] = [],
): Promise<number> {
  const values = [...before];
  const sql = statement((value) => `$${values.push(value)}`);
  const prepared = await connection.prepare(sql);
  try {
    prepared.bind(values, values.map(typeOf));
    return (await prepared.run()).rowsChanged;
  } finally {
    prepared.destroySync();
  }
}
