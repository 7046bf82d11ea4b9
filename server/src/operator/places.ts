import { type Kysely, sql } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { TableName, Tables } from '../control/tables.ts';

type PlacedTable = { [Name in TableName]: 'place' extends keyof Tables[Name] ? Name : never }[TableName];

/**
 * Tables with rows per place. If the original place still exists beside this one, its rows are copied, except for
 * pending jobs, which stay with it.
 */
const placedTables: Readonly<Record<PlacedTable, 'copied' | 'skipped'>> = {
  evaluations: 'copied',
  violations: 'copied',
  activity_summaries: 'copied',
  exports: 'copied',
  evidence: 'skipped',
};
const names = Object.keys(placedTables) as PlacedTable[];

export interface Places {
  /** The place where the archive was created, if known. */
  readonly from: string | undefined;
  /** The place where its telemetry is restored. */
  readonly here: string;
  /** The places of this installation. */
  readonly present: ReadonlySet<string>;
}

/** The places of all nodes that share the control store. */
export async function placesIn(store: Pick<ControlStore, 'read'>): Promise<Set<string>> {
  return distinctPlaces(store.read, ['evaluations', 'violations', 'exports']);
}

/**
 * Assigns the rows about the archived telemetry to this place, to keep its evaluation state and violations. Rows of
 * places that this installation does not have are deleted.
 */
export async function assignPlaces(scratch: Kysely<Tables>, { from, here, present }: Places): Promise<void> {
  const origin = from ?? (await inferOrigin(scratch, here));
  for (const name of names) {
    const table = sql.table(name);
    if (origin !== undefined && origin !== here) {
      await sql`delete from ${table} where place = ${here}`.execute(scratch);
      if (!present.has(origin))
        await sql`update ${table} set place = ${here} where place = ${origin}`.execute(scratch);
      else if (placedTables[name] === 'copied') await copy(scratch, name, origin, here);
    }
    const kept = [...present, here];
    await sql`delete from ${table} where place not in (${sql.join(kept)})`.execute(scratch);
  }
  // Leases of the time of the backup are void here.
  for (const name of ['evaluations', 'activity_summaries'] as const)
    await scratch.updateTable(name).set({ leased_until: 0 }).where('place', '=', here).execute();
}

async function copy(scratch: Kysely<Tables>, name: PlacedTable, origin: string, here: string): Promise<void> {
  const table = sql.table(name);
  await sql`create temp table copied as select * from ${table} where place = ${origin}`.execute(scratch);
  await sql`update copied set place = ${here}`.execute(scratch);
  await sql`insert into ${table} select * from copied`.execute(scratch);
  await sql`drop table copied`.execute(scratch);
}

/** The place of an older archive: the only one in its rows, or `local`. */
async function inferOrigin(scratch: Kysely<Tables>, here: string): Promise<string | undefined> {
  const places = await distinctPlaces(scratch, names);
  if (places.has(here)) return here;
  return places.size === 1 ? [...places][0] : places.has('local') ? 'local' : undefined;
}

async function distinctPlaces(db: Kysely<Tables>, tables: readonly PlacedTable[]): Promise<Set<string>> {
  const places = new Set<string>();
  for (const name of tables) {
    const { rows } = await sql<{ place: string }>`select distinct place from ${sql.table(name)}`.execute(db);
    for (const { place } of rows) places.add(place);
  }
  return places;
}
