import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import { type ResourceFacts, resourceFacts } from '../../resource.ts';
import { factColumns, facts, versionsTable } from './inventory-sql.ts';

/** A row of the versions table. */
export interface VersionRow {
  readonly id: number;
  readonly account: string;
  readonly kind: string;
  readonly cloudAccount: string;
  readonly key: string;
  readonly digest: string;
  readonly facts: ResourceFacts;
  readonly config: string;
  readonly tags?: string | undefined;
  readonly since: number;
  readonly until?: number | undefined;
  readonly seenStarted?: number | undefined;
  readonly seenEnded?: number | undefined;
  readonly closed?: number | undefined;
}

const bytesAtOnce = 16 * 1024 * 1024;

type Column = readonly [
  name: string,
  type: DuckDBType,
  value: (row: VersionRow) => DuckDBValue,
  isJson?: boolean,
];

const number = (value: number | undefined) => (value === undefined ? null : BigInt(value));

const columns: readonly Column[] = [
  ['id', BIGINT, ({ id }) => number(id)],
  ['account', VARCHAR, ({ account }) => account],
  ['kind', VARCHAR, ({ kind }) => kind],
  ['cloud_account', VARCHAR, ({ cloudAccount }) => cloudAccount],
  ['key', VARCHAR, ({ key }) => key],
  ['digest', VARCHAR, ({ digest }) => digest],
  ...facts.map(
    (fact, at): Column => [
      factColumns[at] as string,
      VARCHAR,
      (row) => row.facts[fact] ?? null,
      resourceFacts[fact] === 'Json',
    ],
  ),
  ['config', VARCHAR, ({ config }) => config, true],
  ['tags', VARCHAR, ({ tags }) => tags ?? null, true],
  ['since', BIGINT, ({ since }) => number(since)],
  ['until', BIGINT, ({ until }) => number(until)],
  ['seen_started', BIGINT, ({ seenStarted }) => number(seenStarted)],
  ['seen_ended', BIGINT, ({ seenEnded }) => number(seenEnded)],
  ['closed', BIGINT, ({ closed }) => number(closed)],
];

/** The cast to JSON validates and keeps the string unchanged. */
const insertSql = `insert into ${versionsTable} (${columns.map(([name]) => name).join(', ')}) select
  ${columns.map(([, , , isJson], at) => `unnest($c${at})${isJson ? '::json::varchar' : ''}`).join(', ')}`;

const types = Object.fromEntries(columns.map(([, type], at) => [`c${at}`, LIST(type)]));

/** Inserts versions in the connection's transaction, in chunks that fit into memory. */
export async function insertVersions(
  connection: DuckDBConnection,
  rows: readonly VersionRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; ) {
    let [to, bytes] = [from, 0];
    for (; to < rows.length && bytes < bytesAtOnce; to++) bytes += rows[to]?.config.length ?? 0;
    const some = rows.slice(from, to);
    const values = columns.map(([, , value], at) => [`c${at}`, listValue(some.map(value))] as const);
    await connection.run(insertSql, Object.fromEntries(values), types).catch(refuseUnreadable);
    from = to;
  }
}

function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input) Error/.test(String((error as Error).message))) throw error;
  throw new Refusal(
    'INVALID_INPUT',
    'The configuration, tags or keys of a resource are not valid JSON: correct them.',
  );
}
