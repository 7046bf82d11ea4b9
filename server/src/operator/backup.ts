import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { ControlStore } from '../control/store.ts';
import type { Tables } from '../control/tables.ts';
import type { BackupSource } from '../telemetry/store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { type ArchiveHeader, archiveLines } from './archive.ts';
import { writeTelemetry } from './archived-telemetry.ts';
import type { Progress } from './progress.ts';

export interface BackupDeps {
  readonly store: ControlStore;
  /** Absent for a backup of the settings only. */
  readonly telemetry?: Telemetry | undefined;
  readonly createdAt: string;
  /** Id of this data directory. */
  readonly place: string;
  readonly secretKeys?: readonly string[] | undefined;
  readonly progress: Progress;
}

/** Half the CPU time of the default level for a fifth more bytes, because the service keeps running. */
const level = 3;

const nothing = { batches: 0, records: 0, resources: 0, evaluations: 0 };

/** A gzipped, consistent snapshot of everything, taken without interrupting the service. */
export function backup(deps: BackupDeps): Readable {
  const archive = createGzip({ level, chunkSize: 128 * 1024 });
  const { telemetry, progress } = deps;
  progress.begin(0);
  const written = telemetry
    ? telemetry.withoutRemovals(() => writeAll(archive, { ...deps, telemetry }))
    : deps.store.snapshot((db) => writeRows(archive, db, headerOf(deps)));
  written.then(
    () => archive.end(),
    (error: Error) => archive.destroy(error),
  );
  return archive;
}

/**
 * Rows come first, to avoid a long-running snapshot of the control store. Telemetry is not removed meanwhile and
 * batches are numbered, so that both parts reflect the time of the row snapshot.
 */
async function writeAll(archive: Gzip, deps: BackupDeps & { readonly telemetry: Telemetry }): Promise<void> {
  let holdings: BackupSource | undefined;
  await deps.store.snapshot(async (db) => {
    // Skips telemetry without an account in the snapshot: it is newer, or about to be removed.
    holdings = await deps.telemetry.holdings(await ownersIn(db));
    const { batches, records, resources, evaluations } = holdings ?? nothing;
    deps.progress.begin(records);
    const telemetry = { batches, records, resources, evaluations };
    await writeRows(archive, db, { ...headerOf(deps), telemetry });
  });
  if (holdings) await write(archive, writeTelemetry(holdings, deps.progress));
}

/** The snapshot is closed after its last line is read, or when the reader disconnects. */
function writeRows(
  archive: Gzip,
  db: Kysely<Tables>,
  header: Parameters<typeof archiveLines>[1],
): Promise<void> {
  return write(archive, serialize(archiveLines(db, header)));
}

function write(archive: Gzip, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  return pipeline(Readable.from(chunks), archive, { end: false });
}

async function ownersIn(db: Kysely<Tables>): Promise<Set<string>> {
  const accounts = await db.selectFrom('accounts').select('id').execute();
  const organizations = await db.selectFrom('organizations').select('id').execute();
  return new Set([...accounts, ...organizations].map(({ id }) => id));
}

function headerOf({
  createdAt,
  place,
  secretKeys,
}: BackupDeps): Pick<ArchiveHeader, 'createdAt' | 'place' | 'secretKeys'> {
  return { createdAt, place, ...(secretKeys && { secretKeys }) };
}

async function* serialize(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
