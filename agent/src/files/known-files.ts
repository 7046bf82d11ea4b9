import type { Stats } from 'node:fs';

/** A file as it was last seen. */
export interface KnownFile {
  /** Changes whenever the file may have. */
  readonly key: string;
  /** Mode, owner and group. */
  readonly rights: string;
  /** Empty if the content could not be read. */
  readonly hash: string;
}

/** The file system, inode, size and times: nothing is written without one of them changing. */
export function changeKey({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

export function rightsOf({ mode, uid, gid }: Stats): string {
  return `${mode.toString(8)} ${uid} ${gid}`;
}

/** What is stored, so that changes while the agent was stopped are reported when it starts. */
export interface FilesCursor {
  /** When the files were last swept, in milliseconds since the epoch. */
  readonly at: number;
  /** The watch list: files of a new entry are not new files. */
  readonly watched: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, KnownFile>;
}

export function encodeCursor({ at, watched, files }: FilesCursor): unknown {
  return {
    at,
    watched: [...watched],
    files: [...files].map(([path, { key, rights, hash }]) => [path, key, rights, hash]),
  };
}

/** Undefined if it is not one: then all files are seen for the first time. */
export function parseCursor(value: unknown): FilesCursor | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { at, watched, files } = value as Record<string, unknown>;
  if (typeof at !== 'number' || !isStrings(watched) || !Array.isArray(files)) return undefined;
  const known = new Map<string, KnownFile>();
  for (const file of files) {
    if (!isStrings(file) || file.length !== 4) return undefined;
    const [path = '', key = '', rights = '', hash = ''] = file;
    known.set(path, { key, rights, hash });
  }
  return { at, watched: new Set(watched), files: known };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
