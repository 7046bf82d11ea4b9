import type { BigIntStats, Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileRecord } from '../files/file-records.ts';
import { accessAdvice } from '../host/access-advice.ts';
import { versionOf } from '../host/file-version.ts';
import type { Host } from '../host/host.ts';
import { readingOf } from '../host/host-files.ts';
import { isLocal, Mounts, parseMountinfo } from '../host/mountinfo.ts';
import { type Reading, read, unreadable, valueOr } from '../reading.ts';
import type { Gap, Observation, Observed, Source } from '../source.ts';
import { UserNames } from '../users/user-names.ts';
import { fileDigest } from './file-digest.ts';
import type { HostProcess, ReadProcesses } from './host-process.ts';
import { KnownHashes } from './known-hashes.ts';
import { ProcDirectory } from './proc-directory.ts';

/** Larger programs are not hashed. */
const maxProgramBytes = 100 * 1024 * 1024;
/** What is hashed in one observation; the rest follows in the next ones. */
const maxHashedBytes = 256 * 1024 * 1024;
const maxPrograms = 2_000;
/** Paths that a gap names. */
const maxNamed = 5;

export interface ProgramsDeps {
  readonly processes: ReadProcesses;
  /** Bytes that are hashed in one observation. */
  readonly maxHashedBytes?: number;
}

interface Program {
  readonly path: string;
  /** With nanoseconds, to notice changes. */
  readonly status: BigIntStats;
  readonly file: Stats;
}

/** Reports the program files that run, with the hashes of their content. */
export class ProgramsSource implements Source {
  readonly name = 'programs';
  readonly interval = 60_000;
  readonly #deps: ProgramsDeps;
  /** By version. */
  #hashes = new Map<string, string>();

  constructor(deps: ProgramsDeps) {
    this.#deps = deps;
  }

  async observe(host: Host, cursor: unknown): Promise<Observation> {
    const processes = await this.#deps.processes();
    const proc = await ProcDirectory.open(host.files);
    if (processes.is !== 'read' || proc.is !== 'read') {
      const reason = processes.is === 'unreadable' ? processes.reason : 'The host has no /proc.';
      return { records: {}, gaps: [{ what: 'Programs', reason }] };
    }
    const names = await UserNames.read(host.files);
    const hashes = new Map<string, string>();
    const files: Observed[] = [];
    const skipped = new Map<string, string[]>();
    let budget = this.#deps.maxHashedBytes ?? maxHashedBytes;
    for (const process of runningPrograms(processes.value)) {
      const program = await programOf(proc.value, process, host.isRoot);
      if (program.is === 'absent') continue;
      if (program.is === 'unreadable') {
        const paths = skipped.get(program.reason) ?? [];
        skipped.set(program.reason, [...paths, valueOr(process.program, '')]);
        continue;
      }
      const key = versionOf(program.value.status);
      let hash = hashes.get(key) ?? this.#hashes.get(key);
      if (hash === undefined && budget > 0) {
        budget -= Number(program.value.status.size);
        const place = proc.value.place(`${process.pid}/exe`);
        const digest = await fileDigest(place, key, { maxBytes: maxProgramBytes, signal: host.signal });
        // One that ended or changed meanwhile is found again if it still runs.
        if (digest.is === 'read') hash = digest.value;
      }
      if (hash === undefined) continue;
      hashes.set(key, hash);
      const { path, file } = program.value;
      files.push(fileRecord({ path, status: file, hash }, names.nameOf(file.uid)));
    }
    this.#hashes = hashes;
    const known = KnownHashes.from(cursor);
    const added = known.add([...new Set(hashes.values())]);
    return {
      records: {
        'Entities/Files': files,
        'Entities/NewFileHashes': added.map((filedataHash) => ({ filedataHash })),
      },
      gaps: [...skipped].map(([reason, paths]): Gap => ({ what: hashesOf(paths), reason })),
      ...(added.length > 0 && { cursor: known.cursor }),
    };
  }
}

function hashesOf(paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ' and others' : '';
  return `Hashes of ${paths.slice(0, maxNamed).join(', ')}${more}`;
}

/** One process for each program, and for each container, whose files of the same path are others. */
function runningPrograms(processes: readonly HostProcess[]): HostProcess[] {
  const programs = new Map<string, HostProcess>();
  for (const process of processes) {
    if (process.program.is !== 'read' || programs.size >= maxPrograms) continue;
    const { value: path } = process.program;
    // A deleted file, or one that exists in memory only, has no path that could be reported.
    if (!path.startsWith('/') || path.startsWith('/memfd:') || path.endsWith(' (deleted)')) continue;
    const key = `${process.containerId ?? ''} ${path}`;
    if (!programs.has(key)) programs.set(key, process);
  }
  return [...programs.values()];
}

/** The link of the kernel leads to the file that runs, also if that is in a container. */
async function programOf(
  proc: ProcDirectory,
  { pid, program }: HostProcess,
  isRoot: boolean,
): Promise<Reading<Program>> {
  const path = valueOr(program, '');
  const mounts = new Mounts(parseMountinfo(valueOr(proc.text(`${pid}/mountinfo`), '')));
  const type = mounts.typeOf(path);
  if (type !== undefined && !isLocal(type))
    return unreadable(`The file system ${type} is not local: reading it might not end.`);
  try {
    const place = proc.place(`${pid}/exe`);
    const [status, file] = [await stat(place, { bigint: true }), await stat(place)];
    if (status.size > maxProgramBytes) return unreadable('Programs of more than 100 MiB are not hashed.');
    return read({ path, status, file });
  } catch (error) {
    const reading = readingOf(path, error, 'processes');
    return reading.is === 'unreadable'
      ? unreadable(`They may not be read. ${accessAdvice('processes', isRoot)}`)
      : reading;
  }
}
