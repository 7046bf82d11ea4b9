import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Actor } from '../control/actor.ts';
import { connectForWriting } from '../control/connect.ts';
import { isKnownMigration, migrate } from '../control/migrate.ts';
import { keepRetiredKeys, openRetiredKeys, retiredKeyRows, retireKeys } from '../control/retired-keys.ts';
import { reencrypt } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { hold, lift } from '../delivery/hold.ts';
import { upgradeLegacyRows } from '../integrations/legacy-rows.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { Validator } from '../platform/validator.ts';
import type { ReplacementStore } from '../telemetry/store.ts';
import type { MarkRestore } from '../telemetry/store-access.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type ArchiveHeader, type ArchiveLine, archiveTables } from './archive.ts';
import { ArchiveReader, truncated, unreadable } from './archive-reader.ts';
import { loadTelemetry, TelemetryCounts } from './archived-telemetry.ts';
import { assignPlaces, placesIn } from './places.ts';
import type { Progress } from './progress.ts';
import { replaceAllRows } from './replacement.ts';
import { removeScratch, scratchFile } from './restore-scratch.ts';
import { RowBatch } from './row-batch.ts';

const counts = new Validator(TelemetryCounts, 'file');

export interface RestoreDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  /** Id of this data directory. */
  readonly place: string;
  readonly clock: Clock;
  readonly userName: string;
  /** Whether messages and exports wait until the operator releases them. */
  readonly isHeld: boolean;
  readonly progress: Progress;
}

export interface RestoreResult {
  readonly rows: number;
  /** Number of telemetry records; absent if the archive has no telemetry, which is then kept. */
  readonly records?: number;
  /** Whether messages and exports wait until the operator releases them. */
  readonly held: boolean;
}

/**
 * Replaces all data of the service with those of an archive. The archive is first loaded into a scratch database and
 * migrated there, its telemetry into new files, so that an invalid archive changes nothing. A single transaction then
 * swaps the rows and activates the telemetry, so that every request sees either the old or the new state.
 */
export async function restore(archive: Readable, deps: RestoreDeps): Promise<RestoreResult> {
  removeScratch(deps.dataDirectory);
  deps.progress.begin(0);
  const scratch = await connectForWriting<Tables>(`sqlite:${scratchFile(deps.dataDirectory)}`);
  const reader = new ArchiveReader(archive);
  try {
    const header = await loadRows(reader, scratch);
    await migrate(scratch as Kysely<unknown>, 'sqlite');
    await adoptSecrets(scratch, deps, header.secretKeys ?? []);
    const present = await placesIn(deps.store);
    await assignPlaces(scratch, { from: header.place, here: deps.place, present });
    const actor = await actorIn(scratch, deps.userName);
    const replace = (mark: MarkRestore) =>
      replaceAllRows(deps.store, scratch, actor, async (tx) => {
        await mark(tx);
        await (deps.isHeld ? hold(tx, deps.clock.now()) : lift(tx));
        // The restored telemetry may lack what the ledger has as stored; events are compared by identity anyway.
        await tx.deleteFrom('audit_objects').execute();
      });
    const held = deps.isHeld;
    if (!header.telemetry) {
      if (await reader.line()) throw unreadable('there is data after its end');
      return { rows: await replace(async () => {}), held };
    }
    const { records } = header.telemetry;
    const replacement = await loadReplacement(reader, header.telemetry, deps);
    return { rows: await deps.telemetry.swapIn(replacement, replace), records, held };
  } finally {
    await reader.close();
    await scratch.destroy();
    removeScratch(deps.dataDirectory);
  }
}

/** Reads up to the line after the last row. */
async function loadRows(reader: ArchiveReader, scratch: Kysely<Tables>): Promise<ArchiveHeader> {
  const header = readHeader(await reader.line());
  await migrate(scratch as Kysely<unknown>, 'sqlite', header.migration);
  const batch = new RowBatch(scratch);
  for (let rows = 0; ; rows++) {
    const line = (await reader.line()) as ArchiveLine | undefined;
    if (!line || !('row' in line)) {
      if (!line || !('rows' in line) || line.rows !== rows) throw truncated();
      await batch.flush().catch(refuseInvalidRow);
      return header;
    }
    if (!archiveTables().includes(line.table))
      throw unreadable(`it contains an unknown table '${line.table}'`);
    await batch.add(line.table, line.row).catch(refuseInvalidRow);
  }
}

async function loadReplacement(
  reader: ArchiveReader,
  declared: Static<typeof TelemetryCounts>,
  { telemetry, progress }: RestoreDeps,
): Promise<ReplacementStore> {
  progress.begin(declared.records);
  const replacement = await telemetry.replacement();
  try {
    await loadTelemetry(reader, declared, replacement, progress);
    return replacement;
  } catch (error) {
    await replacement.discard();
    throw error;
  }
}

/** Distinguishes invalid rows of the archive from other failures, such as a full disk. */
function refuseInvalidRow(error: unknown): never {
  const { sqliteCodeName } = error as { sqliteCodeName?: string };
  const isInvalid = sqliteCodeName === 'SQLITE_CONSTRAINT' || sqliteCodeName === 'SQLITE_ERROR';
  throw isInvalid || error instanceof TypeError ? unreadable('a row does not match its table') : error;
}

function readHeader(value: object | undefined): ArchiveHeader {
  const line = value as ArchiveHeader | undefined;
  if (line?.format !== 'vedette backup') throw unreadable('it was not made by `vedette backup`');
  if (!isKnownMigration(line.migration))
    throw unreadable('it was made by a newer version of Vedette: upgrade this one first');
  const { secretKeys = [] } = line;
  if (!Array.isArray(secretKeys) || secretKeys.some((key) => typeof key !== 'string'))
    throw unreadable('its secret keys are not strings');
  if (line.place !== undefined && typeof line.place !== 'string')
    throw unreadable('its place is not a string');
  if (line.telemetry !== undefined && counts.problems(line.telemetry).length > 0)
    throw unreadable('the telemetry counts are missing or invalid');
  return line;
}

/** Encrypts all secrets with this server's key, whichever key the archive used. */
async function adoptSecrets(
  scratch: Kysely<Tables>,
  { store, keyring, clock }: RestoreDeps,
  archiveKeys: readonly string[],
): Promise<void> {
  try {
    const retired = await retiredKeyRows(store.read);
    const older = openRetiredKeys(retired, keyring);
    const all = new Keyring([...keyring.materials, ...older, ...archiveKeys]);
    await reencrypt(scratch, all);
    await upgradeLegacyRows(scratch, all);
    // Other backups of the same age or origin must remain restorable.
    await keepRetiredKeys(scratch, keyring, retired);
    await retireKeys(scratch, keyring, archiveKeys, clock.now());
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    throw new Refusal(
      'CONFLICT',
      `${error.message} The archive was sealed with the key of another server, or with a key removed by \`vedette secret-key forget\`. Restore an archive made with --with-key, or give the server that key in VEDETTE_SECRET_KEY.`,
    );
  }
}

async function actorIn(scratch: Kysely<Tables>, userName: string): Promise<Actor> {
  const organization = await scratch.selectFrom('organizations').select(['id', 'name']).executeTakeFirst();
  if (!organization) throw unreadable('it contains no organization');
  return { userName, ownerId: organization.id, accountName: organization.name, act: 'Backup Restored' };
}
