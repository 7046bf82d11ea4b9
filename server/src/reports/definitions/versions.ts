import { type ExpressionBuilder, sql } from 'kysely';
import type { ControlStore, ControlTransaction } from '../../control/store.ts';
import type { Tables } from '../../control/tables.ts';
import { Refusal } from '../../platform/errors.ts';
import { quoted } from '../../platform/quoted.ts';
import type { DefinitionRow, VersionRow } from './record.ts';

/** The newest one included. */
export const maxVersions = 100;
/** Of all earlier versions of an account. */
const maxBytes = 32 * 1024 * 1024;

/** The earlier versions of a definition, newest first. */
export function earlierVersions(
  db: ControlStore['read'],
  { id, owner_id }: DefinitionRow,
): Promise<VersionRow[]> {
  return db
    .selectFrom('report_definition_versions')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

export async function earlierVersion(
  tx: ControlTransaction,
  { id, owner_id, version: newest }: DefinitionRow,
  version: number,
): Promise<VersionRow> {
  const row = await tx
    .selectFrom('report_definition_versions')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row) return row;
  throw new Refusal(
    'NOT_FOUND',
    `Not found: version ${version} of the report definition ${quoted(id)}, whose newest version is ${newest}. List its versions with allVersions=true.`,
  );
}

/**
 * Keeps a version that a newer one replaces. The oldest ones of the definition are dropped: those beyond the maximum,
 * and as many as it takes to keep the versions of the account within their maximum size.
 */
export async function keepVersion(tx: ControlTransaction, row: DefinitionRow): Promise<void> {
  const { created_at, created_by, ...version } = row;
  await tx.insertInto('report_definition_versions').values(version).execute();
  await tx
    .deleteFrom('report_definition_versions')
    .where('id', '=', row.id)
    .where('version', '<=', row.version + 1 - maxVersions)
    .execute();
  const { bytes } = await tx
    .selectFrom('report_definition_versions')
    .select((of) => sql<number>`coalesce(sum(${sizeOf(of)}), 0)`.as('bytes'))
    .where('owner_id', '=', row.owner_id)
    .executeTakeFirstOrThrow();
  let excess = Number(bytes) - maxBytes;
  if (excess <= 0) return;
  const oldest = await tx
    .selectFrom('report_definition_versions')
    .select(['version', (of) => sizeOf(of).as('bytes')])
    .where('id', '=', row.id)
    .orderBy('version')
    .execute();
  const dropped: number[] = [];
  for (const { version, bytes } of oldest) {
    if (excess <= 0) break;
    dropped.push(version);
    excess -= Number(bytes);
  }
  await tx
    .deleteFrom('report_definition_versions')
    .where('id', '=', row.id)
    .where('version', 'in', dropped)
    .execute();
}

function sizeOf({ ref }: ExpressionBuilder<Tables, 'report_definition_versions'>) {
  const [content, props, channels] = [ref('report_definition'), ref('props'), ref('alert_channels')];
  return sql<number>`octet_length(${content}) + octet_length(${props}) + octet_length(${channels})`;
}
