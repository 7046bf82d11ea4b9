import type { DuckDBConnection } from '@duckdb/node-api';
import { placeFacts } from '../../evaluation.ts';
import type {
  EvaluationPlace,
  EvaluationRun,
  LastEvaluation,
  StoredEvaluation,
} from '../../evaluation-history.ts';
import {
  evaluatedPoliciesTable,
  evaluationsTable,
  placeColumns,
  placesTable,
  runsTable,
} from './posture-tables.ts';
import { refuseUnreadable } from './row-insert.ts';
import { type TextColumn, textColumns } from './text-columns.ts';

type Columns<Row> = Readonly<Record<string, TextColumn<Row>>>;

const evaluationColumns: Columns<StoredEvaluation> = {
  id: ['bigint', ({ id }) => id],
  account: ['varchar', ({ account }) => account],
  policy: ['varchar', ({ policyId }) => policyId],
  key: ['varchar', ({ key }) => key],
  urn: ['varchar', ({ urn }) => urn],
  place: ['varchar', ({ place }) => place],
  status: ['varchar', ({ status }) => status],
  reason: ['varchar', ({ reason }) => reason],
  exception: ['varchar', ({ exceptionId }) => exceptionId],
  result: ['document', ({ result }) => result],
  since: ['bigint', ({ since }) => since],
  opened_at: ['bigint', ({ openedAt }) => openedAt],
  until: ['bigint', ({ until }) => until],
  opened: ['bigint', ({ opened }) => opened],
  closed: ['bigint', ({ closed }) => closed],
};

const placeColumnsOf: Columns<EvaluationPlace> = {
  account: ['varchar', ({ account }) => account],
  place: ['varchar', ({ place }) => place],
  provider: ['varchar', ({ provider }) => provider],
  cloud_account: ['varchar', ({ cloudAccount }) => cloudAccount],
  region: ['varchar', ({ region }) => region],
  first_at: ['bigint', ({ firstAt }) => firstAt],
  ...Object.fromEntries(
    placeFacts.map((fact, at): [string, TextColumn<EvaluationPlace>] => [
      placeColumns[at] as string,
      ['varchar', ({ facts }) => facts[fact]],
    ]),
  ),
};

const lastEvaluationColumns: Columns<LastEvaluation> = {
  account: ['varchar', ({ account }) => account],
  policy: ['varchar', ({ policyId }) => policyId],
  provider: ['varchar', ({ provider }) => provider],
  title: ['varchar', ({ title }) => title],
  severity: ['varchar', ({ severity }) => severity],
  section: ['varchar', ({ section }) => section],
  basis: ['varchar', ({ basis }) => basis],
  revision: ['bigint', ({ revision }) => revision],
  covers: ['bigint', ({ covers }) => covers],
  run_at: ['bigint', ({ runAt }) => runAt],
};

const runColumns: Columns<EvaluationRun & { readonly policyId: string }> = {
  account: ['varchar', ({ account }) => account],
  policy: ['varchar', ({ policyId }) => policyId],
  run_at: ['bigint', ({ runAt }) => runAt],
  revision: ['bigint', ({ revision }) => revision],
};

/** Inserts results of a backup. */
export function insertEvaluations(
  connection: DuckDBConnection,
  rows: readonly StoredEvaluation[],
): Promise<void> {
  return insert(connection, evaluationsTable, rows, evaluationColumns);
}

export function insertPlaces(connection: DuckDBConnection, rows: readonly EvaluationPlace[]): Promise<void> {
  return insert(connection, placesTable, rows, placeColumnsOf);
}

export function insertLastEvaluations(
  connection: DuckDBConnection,
  rows: readonly LastEvaluation[],
): Promise<void> {
  return insert(connection, evaluatedPoliciesTable, rows, lastEvaluationColumns);
}

export function insertRuns(connection: DuckDBConnection, runs: readonly EvaluationRun[]): Promise<void> {
  const rows = runs.flatMap((run) => run.policyIds.map((policyId) => ({ ...run, policyId })));
  return insert(connection, runsTable, rows, runColumns);
}

/** Documents are checked, and kept as they are. */
async function insert<Row>(
  connection: DuckDBConnection,
  table: string,
  rows: readonly Row[],
  columns: Columns<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const texts = textColumns(rows, columns);
  const names = Object.keys(columns);
  const values = names.map((name) => (columns[name]?.[0] === 'document' ? `${name}::json::varchar` : name));
  const sql = `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from (select ${texts.columns})`;
  await connection.run(sql, texts.values).catch(refuseUnreadable);
}
