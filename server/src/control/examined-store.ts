import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { connectForReading, dialectOf, sqliteFile } from './connect.ts';
import { checkSchema, columnsOf, missingStore } from './schema.ts';
import { checkFile, isEmptyFile } from './sqlite/file-check.ts';
import { ControlStore } from './store.ts';

export interface ExaminationContext {
  /** Directory of stored telemetry, if any. */
  readonly telemetry: string | undefined;
  /** Whether the operator allows an empty store. */
  readonly mayBeEmpty: boolean;
}

/** Opens the store at start-up; a missing, damaged or incompatible store is refused with a one-line message. */
export async function openExamined(
  url: string,
  clock: Clock,
  { telemetry, mayBeEmpty }: ExaminationContext,
): Promise<ControlStore> {
  const dialect = dialectOf(url);
  if (dialect === 'sqlite') checkFile(sqliteFile(url));
  if (telemetry !== undefined && !mayBeEmpty && (await isEmpty(url)))
    throw missingStore(
      dialect === 'sqlite' ? `The control store ${sqliteFile(url)}` : 'The database of VEDETTE_CONTROL_URL',
      telemetry,
    );
  const store = await ControlStore.open(url, clock);
  await checkSchema(store.read as Kysely<unknown>, dialect);
  return store;
}

async function isEmpty(url: string): Promise<boolean> {
  const dialect = dialectOf(url);
  if (dialect === 'sqlite' && isEmptyFile(sqliteFile(url))) return true;
  const db = await connectForReading<unknown>(url, { connections: 1 });
  try {
    return (await columnsOf(db, dialect)).size === 0;
  } finally {
    await db.destroy();
  }
}
