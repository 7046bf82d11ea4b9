import { fileVersion } from '../host/file-version.ts';
import type { HostFiles } from '../host/host-files.ts';
import { absent, type Reading, read, unreadable } from '../reading.ts';
import { type RpmTable, readRpmTable } from './rpm-table.ts';
import { RandomAccessFile } from './sqlite/random-access.ts';

const maxAttempts = 3;
const journalMagic = 'd9d505f920a163d7';
const logHeaderBytes = 32;

/** Reads `rpmdb.sqlite` without a lock: again, if it was written meanwhile. */
export async function readRpmSqlite(files: HostFiles, path: string): Promise<Reading<RpmTable>> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const table = await consistentTable(files, path);
    if (table.is !== 'absent') return table;
  }
  const left = await fileVersion(files, path);
  return left.is === 'absent'
    ? absent
    : unreadable(`${path} is being changed. It is read again at the next interval.`);
}

/** Absent if the database was removed, or written while it was read. */
async function consistentTable(files: HostFiles, path: string): Promise<Reading<RpmTable>> {
  const [logPath, journalPath] = [`${path}-wal`, `${path}-journal`];
  const before = await fileVersion(files, path);
  if (before.is !== 'read') return before;
  // It holds what an interrupted transaction has replaced.
  const journal = await startOf(files, journalPath, journalMagic.length / 2);
  if (journal.is === 'unreadable') return journal;
  if (journal.is === 'read' && journal.value === journalMagic)
    return unreadable(`${path} has an unfinished transaction. Run rpm -qa as root to roll it back.`);
  const logStart = await startOf(files, logPath, logHeaderBytes);
  if (logStart.is === 'unreadable') return logStart;

  const table = await opened(files, path, async (database) =>
    logStart.is === 'absent'
      ? read(await readRpmTable(database))
      : opened(files, logPath, async (log) => read(await readRpmTable(database, log))),
  );
  if (table.is !== 'read') return table;
  // Frames that are added to a log do no harm. One that starts anew has another header.
  const after = await fileVersion(files, path);
  const logAfter = await startOf(files, logPath, logHeaderBytes);
  const isSame =
    after.is === 'read' &&
    after.value.version === before.value.version &&
    (logStart.is !== 'read' || (logAfter.is === 'read' && logAfter.value === logStart.value));
  return isSame ? table : absent;
}

/** The first bytes of a file in hexadecimal digits; fewer if it is shorter. */
function startOf(files: HostFiles, path: string, bytes: number): Promise<Reading<string>> {
  return opened(files, path, async (file) =>
    read((await file.read(0, Math.min(bytes, file.size))).toString('hex')),
  );
}

function opened<Value>(
  files: HostFiles,
  path: string,
  work: (file: RandomAccessFile) => Promise<Reading<Value>>,
): Promise<Reading<Value>> {
  return files.opened(path, (file, { size }) => work(new RandomAccessFile(file, size)));
}
