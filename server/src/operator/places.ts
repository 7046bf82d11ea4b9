import { type Kysely, sql } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { TableName, Tables } from '../control/tables.ts';

type PlacedTable = { [Name in TableName]: 'place' extends keyof Tables[Name] ? Name : never }[TableName];

/**
 * Tables whose rows are about the telemetry of one place. Where that place lives on beside this one, its rows are copied
 * or, where they are a job to be done once, left to it.
 */
const placedTables: Readonly<Record<PlacedTable, 'copied' | 'left'>> = {
  evaluations: 'copied',
  violations: 'copied',
  activity_summaries: 'copied',
  exports: 'copied',
  evidence: 'left',
};
const names = Object.keys(placedTables) as PlacedTable[];

export interface Places {
  /** The place that the archive was made at, where it says so. */
  readonly from: string | undefined;
  /** The place that its telemetry is put at. */
  readonly here: string;
  /** Places that this installation has. */
  readonly present: ReadonlySet<string>;
}

/** Places of the nodes that share a control store. */
export async function placesIn(store: Pick<ControlStore, 'read'>): Promise<Set<string>> {
  return distinctPlaces(store.read, ['evaluations', 'violations', 'exports']);
}

/**
 * Makes rows that were about the telemetry of the archive be about that of this place, so that how far it was evaluated
 * and what was found is known. Nobody looks after places that this installation does not have: their rows go.
 */
export async function settlePlaces(scratch: Kysely<Tables>, { from, here, present }: Places): Promise<void> {
  const origin = from ?? (await soleOrigin(scratch, here));
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
  // Whoever was at it when the backup was taken is not at it here.
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

/** Where an archive does not say it: the one place of its rows, or that of a server with a store of its own. */
async function soleOrigin(scratch: Kysely<Tables>, here: string): Promise<string | undefined> {
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
