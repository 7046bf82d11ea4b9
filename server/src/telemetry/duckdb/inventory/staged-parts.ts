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
import type { Resource } from '../../resource.ts';
import type { SnapshotId, SnapshotPart, UnreadResource } from '../../snapshot.ts';
import { sameScope, scopesTable, stagedTable, versionsTable } from './inventory-tables.ts';
import { digestOf } from './resource-digest.ts';
import { integerOrNull, RowInsert } from './row-insert.ts';
import { factRowColumns } from './versions.ts';

/** A part of a snapshot that is to be stored. */
export interface ReceivedPart {
  readonly account: string;
  readonly id: SnapshotId;
  readonly part: SnapshotPart;
}

/** A row of the staged table: a resource, one of which only the key is needed, or one that was not read. */
interface StagedRow extends SnapshotId {
  readonly account: string;
  readonly part: number;
  readonly n: number;
  readonly key: string;
  readonly facts: Resource['facts'];
  readonly digest?: string;
  readonly config?: string;
  readonly tags?: string | undefined;
  readonly unread?: UnreadResource;
}

/** What a row takes besides its configuration and tags. */
const rowSize = 200;

/**
 * Bytes of an account in snapshots that are not finished: more than the largest collection, and less than what would
 * fill a disk if a collector never finishes.
 */
const maxStagedBytes = 1024 ** 3;
/** No collection takes longer: parts that are older than this were abandoned. */
const longestCollection = 24 * 3_600_000;

const insert = new RowInsert<StagedRow>(stagedTable, [
  ['account', VARCHAR, ({ account }) => account],
  ['kind', VARCHAR, ({ kind }) => kind],
  ['cloud_account', VARCHAR, ({ cloudAccount }) => cloudAccount],
  ['region', VARCHAR, ({ region }) => region],
  ['started', BIGINT, ({ started }) => integerOrNull(started)],
  ['part', BIGINT, ({ part }) => integerOrNull(part)],
  ['n', BIGINT, ({ n }) => integerOrNull(n)],
  ['key', VARCHAR, ({ key }) => key],
  ['digest', VARCHAR, ({ digest }) => digest ?? null],
  ['problem', VARCHAR, ({ unread }) => unread?.status ?? null],
  ['reason', VARCHAR, ({ unread }) => unread?.reason ?? null],
  ['size', BIGINT, (row) => BigInt(sizeOf(row))],
  ...factRowColumns,
  ['config', VARCHAR, ({ config }) => config ?? null, true],
  ['tags', VARCHAR, ({ tags }) => tags ?? null, true],
]);

function sizeOf({ config = '', tags = '' }: Pick<StagedRow, 'config' | 'tags'>): number {
  return rowSize + config.length + tags.length;
}

/** The parts of a transaction as a table: a few statements stage all of them. */
const partsTable = 'received_parts';

/**
 * Stores parts of one account in the connection's transaction, except those that are stored and those of outdated
 * snapshots. They have different scopes, or belong to the same snapshot.
 */
export async function stageParts(
  connection: DuckDBConnection,
  received: readonly ReceivedPart[],
  limit = maxStagedBytes,
): Promise<void> {
  await createPartsTable(connection, received);
  const known = await connection.runAndReadAll(`select p.n from ${partsTable} p where
    exists (select 1 from ${scopesTable} c where ${sameScope('p', 'c')} and c.tried_started >= p.started) or
    exists (select 1 from ${stagedTable} t where ${sameScope('p', 't')} and t.started = p.started and t.part = p.part)`);
  const ignored = new Set(known.getRows().map(([n]) => Number(n)));
  const parts = received.filter((_, n) => !ignored.has(n));
  if (parts.length > 0) {
    // A new snapshot replaces one that was interrupted.
    await connection.run(
      `delete from ${stagedTable} t using ${partsTable} p where ${sameScope('t', 'p')} and t.started < p.started`,
    );
    const digests = parts.map(({ part }) => part.resources.map(digestOf));
    const unchanged = await unchangedResources(connection, parts, digests);
    const rows = parts.flatMap((one, at) =>
      rowsOf(one, digests[at] ?? [], (n) => unchanged.has(`${at} ${n}`)),
    );
    await keepWithin(connection, parts, rows, limit);
    await insert.run(connection, rows, sizeOf);
  }
  await connection.run(`drop table ${partsTable}`);
}

/** The numbers of the parts of a snapshot that are stored. */
export async function stagedNumbers(
  connection: DuckDBConnection,
  account: string,
  { kind, cloudAccount, region, started }: SnapshotId,
): Promise<number[]> {
  const result = await connection.runAndReadAll(
    `select distinct part from ${stagedTable} where account = $account and kind = $kind
      and cloud_account = $cloudAccount and region = $region and started = $started order by part`,
    { account, kind, cloudAccount, region, started: BigInt(started) },
    { started: BIGINT },
  );
  return result.getRows().map(([number]) => Number(number));
}

async function createPartsTable(
  connection: DuckDBConnection,
  received: readonly ReceivedPart[],
): Promise<void> {
  const columns: [string, DuckDBType, (one: ReceivedPart, n: number) => DuckDBValue][] = [
    ['n', BIGINT, (_, n) => BigInt(n)],
    ['account', VARCHAR, ({ account }) => account],
    ['kind', VARCHAR, ({ id }) => id.kind],
    ['cloud_account', VARCHAR, ({ id }) => id.cloudAccount],
    ['region', VARCHAR, ({ id }) => id.region],
    ['started', BIGINT, ({ id }) => BigInt(id.started)],
    ['part', BIGINT, ({ part }) => BigInt(part.number)],
  ];
  await connection.run(
    `create or replace temp table ${partsTable} as select ${columns.map(([name]) => `unnest($${name}) as ${name}`).join(', ')}`,
    Object.fromEntries(columns.map(([name, , value]) => [name, listValue(received.map(value))])),
    Object.fromEntries(columns.map(([name, type]) => [name, LIST(type)])),
  );
}

function rowsOf(
  { account, id, part }: ReceivedPart,
  digests: readonly string[],
  isUnchanged: (n: number) => boolean,
): StagedRow[] {
  const { kind, cloudAccount, region, started } = id;
  const own = { account, kind, cloudAccount, region, started, part: part.number };
  const { length } = part.resources;
  return [
    ...part.resources.map((resource, n): StagedRow => {
      const digest = digests[n] as string;
      if (isUnchanged(n)) return { ...own, n, key: resource.key, digest, facts: {} };
      return { ...own, n, ...resource, digest };
    }),
    ...part.unread.map(
      (unread, at): StagedRow => ({ ...own, n: length + at, key: unread.key, facts: {}, unread }),
    ),
  ];
}

/** The resources whose current version is the same, as `<index of the part> <index of the resource>`. */
async function unchangedResources(
  connection: DuckDBConnection,
  parts: readonly ReceivedPart[],
  digests: readonly (readonly string[])[],
): Promise<ReadonlySet<string>> {
  const all = parts.flatMap(({ id, part }, at) =>
    part.resources.map(({ key }, n) => ({ at, n, id, key, digest: digests[at]?.[n] as string })),
  );
  const [first] = parts;
  if (all.length === 0 || !first) return new Set();
  const strings = {
    kinds: all.map(({ id }) => id.kind),
    accounts: all.map(({ id }) => id.cloudAccount),
    regions: all.map(({ id }) => id.region),
    keys: all.map(({ key }) => key),
    digests: all.map(({ digest }) => digest),
  };
  const result = await connection.runAndReadAll(
    `select r.n from ${versionsTable} v join (select unnest($numbers) as n, unnest($kinds) as kind,
        unnest($accounts) as cloud_account, unnest($regions) as region, unnest($keys) as key,
        unnest($digests) as digest) r
      on v.digest = r.digest and v.key = r.key and v.kind = r.kind and v.cloud_account = r.cloud_account
        and v.region = r.region
      where v.account = $account and v.until is null`,
    {
      account: first.account,
      numbers: listValue(all.map((_, n) => BigInt(n))),
      ...Object.fromEntries(Object.entries(strings).map(([name, values]) => [name, listValue(values)])),
    },
    {
      numbers: LIST(BIGINT),
      ...Object.fromEntries(Object.keys(strings).map((name) => [name, LIST(VARCHAR)])),
    },
  );
  return new Set(
    result.getRows().map(([n]) => {
      const { at, n: index } = all[Number(n)] as (typeof all)[number];
      return `${at} ${index}`;
    }),
  );
}

/** Removes abandoned parts of the account if there is no space, and refuses what is still too much. */
async function keepWithin(
  connection: DuckDBConnection,
  parts: readonly ReceivedPart[],
  rows: readonly StagedRow[],
  limit: number,
): Promise<void> {
  const account = parts[0]?.account ?? '';
  const added = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  const isTooMuch = async () => {
    const sum = await connection.runAndReadAll(
      `select coalesce(sum(size), 0) from ${stagedTable} where account = $account`,
      { account },
    );
    return Number(sum.getRows()[0]?.[0]) + added > limit;
  };
  if (!(await isTooMuch())) return;
  const newest = Math.max(...parts.map(({ id }) => id.started));
  await connection.run(
    `delete from ${stagedTable} where account = $account and started < $before`,
    { account, before: BigInt(newest - longestCollection) },
    { before: BIGINT },
  );
  if (await isTooMuch())
    throw new Refusal(
      'CONFLICT',
      `The account has more than ${Math.round(limit / 1024 ** 2)} MB of resources in snapshots that are not finished: finish them, or wait a day until they are removed.`,
    );
}
