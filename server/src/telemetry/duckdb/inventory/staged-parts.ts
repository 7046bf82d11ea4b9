import { BIGINT, type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Resource } from '../../resource.ts';
import type { SnapshotId, SnapshotPart, UnreadResource } from '../../snapshot.ts';
import { scopesTable, stagedTable, versionsTable } from './inventory-tables.ts';
import { digestOf } from './resource-digest.ts';
import { integerOrNull, RowInsert } from './row-insert.ts';
import { factRowColumns } from './versions.ts';

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
  ...factRowColumns,
  ['config', VARCHAR, ({ config }) => config ?? null, true],
  ['tags', VARCHAR, ({ tags }) => tags ?? null, true],
]);

const inScope = 'account = $account and kind = $kind and cloud_account = $cloudAccount and region = $region';

function scopeOf(account: string, { kind, cloudAccount, region }: SnapshotId) {
  return { account, kind, cloudAccount, region };
}

/** Stores a part of a snapshot in the connection's transaction, unless it is stored or the snapshot is outdated. */
export async function stagePart(
  connection: DuckDBConnection,
  account: string,
  id: SnapshotId,
  part: SnapshotPart,
): Promise<void> {
  const scope = scopeOf(account, id);
  if (await isOutdated(connection, account, id)) return;
  if ((await stagedNumbers(connection, account, id)).includes(part.number)) return;
  // A new snapshot replaces one that was interrupted.
  await connection.run(
    `delete from ${stagedTable} where ${inScope} and started < $started`,
    { ...scope, started: BigInt(id.started) },
    { started: BIGINT },
  );
  const digests = part.resources.map(digestOf);
  const unchanged = await unchangedKeys(connection, scope, part.resources, digests);
  const own = { ...scope, started: id.started, part: part.number };
  const rows = part.resources.map((resource, n): StagedRow => {
    const { key } = resource;
    const digest = digests[n] as string;
    if (unchanged.has(key)) return { ...own, n, key, digest, facts: {} };
    return { ...own, n, ...resource, digest };
  });
  const unread = part.unread.map(
    (one, at): StagedRow => ({ ...own, n: rows.length + at, key: one.key, facts: {}, unread: one }),
  );
  await insert.run(connection, [...rows, ...unread], ({ config = '' }) => config.length);
}

/** The numbers of the parts of a snapshot that are stored. */
export async function stagedNumbers(
  connection: DuckDBConnection,
  account: string,
  id: SnapshotId,
): Promise<number[]> {
  const result = await connection.runAndReadAll(
    `select distinct part from ${stagedTable} where ${inScope} and started = $started order by part`,
    { ...scopeOf(account, id), started: BigInt(id.started) },
    { started: BIGINT },
  );
  return result.getRows().map(([number]) => Number(number));
}

async function isOutdated(connection: DuckDBConnection, account: string, id: SnapshotId): Promise<boolean> {
  const result = await connection.runAndReadAll(
    `select 1 from ${scopesTable} where ${inScope} and tried_started >= $started`,
    { ...scopeOf(account, id), started: BigInt(id.started) },
    { started: BIGINT },
  );
  return result.getRows().length > 0;
}

async function unchangedKeys(
  connection: DuckDBConnection,
  scope: ReturnType<typeof scopeOf>,
  resources: readonly Resource[],
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  if (resources.length === 0) return new Set();
  const result = await connection.runAndReadAll(
    `select key from ${versionsTable} where ${inScope} and until is null
      and (key, digest) in (select (unnest($keys), unnest($digests)))`,
    { ...scope, keys: listValue(resources.map(({ key }) => key)), digests: listValue([...digests]) },
    { keys: LIST(VARCHAR), digests: LIST(VARCHAR) },
  );
  return new Set(result.getRows().map(([key]) => String(key)));
}
