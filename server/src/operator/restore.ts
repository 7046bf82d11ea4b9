import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Actor } from '../control/actor.ts';
import { connectForWriting } from '../control/connect.ts';
import { isKnownMigration, migrate } from '../control/migrate.ts';
import { keepRetiredKeys, openRetiredKeys, retiredKeyRows, retireKeys } from '../control/retired-keys.ts';
import { sealAgain } from '../control/secret-key.ts';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import { hold, lift } from '../delivery/hold.ts';
import { renewOlderRows } from '../integrations/older-rows.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import { Keyring, UnknownKeyError } from '../platform/keyring.ts';
import { Validator } from '../platform/validator.ts';
import type { ReplacementStore } from '../telemetry/store.ts';
import type { Mark } from '../telemetry/store-access.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type ArchiveHeader, type ArchiveLine, archiveTables } from './archive.ts';
import { ArchiveReader, tooEarly, unreadable } from './archive-reader.ts';
import { placesIn, settlePlaces } from './places.ts';
import type { Progress } from './progress.ts';
import { replaceEverything } from './replacement.ts';
import { removeScratch, scratchFile } from './restore-scratch.ts';
import { RowBatch } from './row-batch.ts';
import { loadTelemetry, TelemetryCounts } from './telemetry-part.ts';

const counts = new Validator(TelemetryCounts, 'file');

export interface RestoreDeps {
  readonly store: ControlStore;
  readonly telemetry: Telemetry;
  readonly keyring: Keyring;
  readonly dataDirectory: string;
  /** Names the telemetry of this data directory. */
  readonly place: string;
  readonly clock: Clock;
  readonly userName: string;
  /** Whether messages and exports wait until the operator releases them. */
  readonly isHeld: boolean;
  readonly progress: Progress;
}

export interface Restored {
  readonly rows: number;
  /** Of telemetry; left out when the archive says nothing about telemetry, which then stays as it is. */
  readonly records?: number;
  /** Whether messages and exports wait until the operator releases them. */
  readonly held: boolean;
}

/**
 * Replaces what the service holds with what an archive holds. The archive is first loaded into a scratch database and
 * brought to the present schema there, its telemetry into files beside those in use, so a broken or foreign one changes
 * nothing. Then one transaction swaps the rows and decides about the telemetry, so that every request sees the old state
 * or the new one.
 */
export async function restore(archive: Readable, deps: RestoreDeps): Promise<Restored> {
  removeScratch(deps.dataDirectory);
  deps.progress.begin(0);
  const scratch = await connectForWriting<Tables>(`sqlite:${scratchFile(deps.dataDirectory)}`);
  const reader = new ArchiveReader(archive);
  try {
    const header = await loadRows(reader, scratch);
    await migrate(scratch as Kysely<unknown>, 'sqlite');
    await adoptSecrets(scratch, deps, header.secretKeys ?? []);
    const present = await placesIn(deps.store);
    await settlePlaces(scratch, { from: header.place, here: deps.place, present });
    const actor = await actorIn(scratch, deps.userName);
    const replace = (mark: Mark) =>
      replaceEverything(deps.store, scratch, actor, async (tx) => {
        await mark(tx);
        await (deps.isHeld ? hold(tx, deps.clock.now()) : lift(tx));
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

/** To the line after the last row. */
async function loadRows(reader: ArchiveReader, scratch: Kysely<Tables>): Promise<ArchiveHeader> {
  const header = readHeader(await reader.line());
  await migrate(scratch as Kysely<unknown>, 'sqlite', header.migration);
  const batch = new RowBatch(scratch);
  for (let rows = 0; ; rows++) {
    const line = (await reader.line()) as ArchiveLine | undefined;
    if (!line || !('row' in line)) {
      if (!line || !('rows' in line) || line.rows !== rows) throw tooEarly();
      await batch.flush().catch(refuseMisfit);
      return header;
    }
    if (!archiveTables().includes(line.table))
      throw unreadable(`it contains an unknown table '${line.table}'`);
    await batch.add(line.table, line.row).catch(refuseMisfit);
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

/** A row that the schema refuses is the archive's fault; a full disk is not. */
function refuseMisfit(error: unknown): never {
  const { sqliteCodeName } = error as { sqliteCodeName?: string };
  const misfit = sqliteCodeName === 'SQLITE_CONSTRAINT' || sqliteCodeName === 'SQLITE_ERROR';
  throw misfit || error instanceof TypeError ? unreadable('a row does not match its table') : error;
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

/** Every secret ends up sealed with this server's key, whichever key the archive brought along. */
async function adoptSecrets(
  scratch: Kysely<Tables>,
  { store, keyring, clock }: RestoreDeps,
  brought: readonly string[],
): Promise<void> {
  try {
    const retired = await retiredKeyRows(store.read);
    const older = openRetiredKeys(retired, keyring);
    const all = new Keyring([...keyring.materials, ...older, ...brought]);
    await sealAgain(scratch, all);
    await renewOlderRows(scratch, all);
    // Other backups of the same age, or of where this one was made, can be restored afterwards, too.
    await keepRetiredKeys(scratch, keyring, retired);
    await retireKeys(scratch, keyring, brought, clock.now());
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
