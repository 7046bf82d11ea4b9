import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { posix } from 'node:path';
import type { Observed } from '../source.ts';
import { fileTimestamp } from '../timestamp.ts';

/** As in the summaries of alerts. */
export type Activity = 'create' | 'modify' | 'delete';

export interface FileContent {
  readonly path: string;
  readonly status: Stats;
  readonly hash: string;
  /** Of a symbolic link. */
  readonly target?: string;
}

/** Without the time of the last access, which would make a file that is only read a changed one. */
export function fileRecord({ path, status, hash, target }: FileContent, ownerUsername?: string): Observed {
  const [modified, created] = [fileTimestamp(status.mtimeMs), fileTimestamp(status.birthtimeMs)];
  return {
    filePath: path,
    filedataHash: hash,
    size: status.size,
    mtime: millisecondsOf(status),
    fileName: posix.basename(path),
    fileType: target === undefined ? 'file' : 'link',
    ...(Number.isSafeInteger(status.ino) && { inode: status.ino }),
    isLink: target === undefined ? 0 : 1,
    ...(target !== undefined && {
      linkDestPath: target,
      linkAbsDestPath: posix.resolve(posix.dirname(path), target),
    }),
    ownerUid: status.uid,
    ...(ownerUsername !== undefined && { ownerUsername }),
    ownerGid: status.gid,
    filePermissions: status.mode & 0o7777,
    hardLinkCount: status.nlink,
    metadataHash: metadataHash(path, status),
    blockSize: status.blksize,
    blockCount: status.blocks,
    ...(modified !== undefined && { fileModifiedTime: modified }),
    ...(created !== undefined && status.birthtimeMs > 0 && { fileCreatedTime: created }),
  };
}

/** A symbolic link has no content: its target counts. */
export function targetDigest(target: string): string {
  return createHash('sha256').update(target).digest('hex');
}

function metadataHash(path: string, { mode, uid, gid, size, mtimeMs }: Stats): string {
  return createHash('sha256')
    .update(JSON.stringify([path, mode, uid, gid, size, mtimeMs]))
    .digest('hex');
}

/** The time of the change is that of the inode, which can not be set to hide a change. */
export function changeRecord(
  { path, status, hash }: FileContent,
  activity: Exclude<Activity, 'delete'>,
  now: number,
): Observed {
  const changedAt = fileTimestamp(Math.min(status.ctimeMs, now));
  return {
    ...{ filePath: path, filedataHash: hash, mtime: millisecondsOf(status), size: status.size, activity },
    ...(changedAt !== undefined && { activityStartTime: changedAt, activityEndTime: changedAt }),
  };
}

/** It was deleted between two sweeps. Without a hash, so that it is not taken for the record of an earlier change. */
export function deletionRecord(path: string, since: number, now: number): Observed {
  const [start, end] = [fileTimestamp(Math.min(since, now)), fileTimestamp(now)];
  return {
    ...{
      filePath: path,
      filedataHash: '',
      mtime: String(now),
      size: 0,
      activity: 'delete' satisfies Activity,
    },
    ...(start !== undefined && { activityStartTime: start }),
    ...(end !== undefined && { activityEndTime: end }),
  };
}

function millisecondsOf({ mtimeMs }: Stats): string {
  return String(Math.trunc(mtimeMs));
}
