import type { Kysely, Selectable } from 'kysely';
import { notFound, type Refusal } from '../platform/errors.ts';
import type { ControlStore, ControlTransaction } from './store.ts';
import type { ownedTables, Tables } from './tables.ts';

type OwnedTable = (typeof ownedTables)[number];

/** Key of a row: its owner and further columns. */
type OwnedKey<Table extends OwnedTable> = Partial<Tables[Table]> & { readonly owner_id: string };

/** The matching row of the owner, or undefined. */
export async function seekOwned<Table extends OwnedTable>(
  db: ControlStore['read'],
  table: Table,
  key: OwnedKey<Table>,
): Promise<Tables[Table] | undefined> {
  const row = await (db as unknown as Kysely<Record<string, Record<string, unknown>>>)
    .selectFrom(table as string)
    .selectAll()
    .where((is) => is.and(key))
    .executeTakeFirst();
  return row as Selectable<Tables[Table]> as Tables[Table] | undefined;
}

/** Nouns for error messages about rows requested by id. */
const nouns: { readonly [Table in OwnedTable]?: string } = {
  agent_tokens: 'agent access token',
  resource_groups: 'resource group',
  alert_profiles: 'alert profile',
  policies: 'policy',
  queries: 'query',
  policy_exceptions: 'exception',
  report_definitions: 'report definition',
  report_distributions: 'report distribution',
  alerts: 'alert',
};

/** The matching row of the owner; a row of another owner is reported as not found. */
export async function findOwned<Table extends OwnedTable>(
  db: ControlStore['read'],
  table: Table,
  key: OwnedKey<Table>,
  missing?: Refusal,
): Promise<Tables[Table]> {
  const row = await seekOwned(db, table, key);
  if (row) return row;
  throw missing ?? missingRow(table, key);
}

function missingRow<Table extends OwnedTable>(table: Table, key: OwnedKey<Table>): Refusal {
  const { id = '', family } = key as { readonly id?: string | number; readonly family?: string };
  return notFound(family ? nounOf(family) : (nouns[table] ?? table), id);
}

/** The singular noun of a family, such as "alert channel" for AlertChannels. */
function nounOf(family: string): string {
  const words = family.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  return words.replace(/ies$/, 'y').replace(/s$/, '');
}

/**
 * Locks the rows: other transactions that lock them wait until this one ends. Returns whether there are any; one that
 * another transaction commits later is visible to this one, but not locked.
 */
export async function holdOwned<Table extends OwnedTable>(
  tx: ControlTransaction,
  table: Table,
  key: OwnedKey<Table>,
): Promise<boolean> {
  const { numUpdatedRows } = await (tx as unknown as Kysely<Record<string, Record<string, unknown>>>)
    .updateTable(table as string)
    .set({ owner_id: key.owner_id })
    .where((is) => is.and(key))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Locks the row by a write before reading it, to prevent lost updates. */
export async function lockOwned<Table extends OwnedTable>(
  tx: ControlTransaction,
  table: Table,
  key: OwnedKey<Table>,
  missing?: Refusal,
): Promise<Tables[Table]> {
  if (!(await holdOwned(tx, table, key))) throw missing ?? missingRow(table, key);
  return findOwned(tx, table, key, missing);
}
