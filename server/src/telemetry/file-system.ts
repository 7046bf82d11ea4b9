import { statfs } from 'node:fs/promises';

/** Bytes of a file system: total, and available for writing. */
export interface Space {
  readonly size: number;
  readonly free: number;
}

/** The space of the directory's file system. */
export async function spaceOf(directory: string): Promise<Space> {
  const { bsize, blocks, bavail } = await statfs(directory);
  return { size: blocks * bsize, free: bavail * bsize };
}

/** Human-readable, in the units of the settings. */
export function formatSize(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Bytes that are free, and bytes that must stay free. */
export interface FreeSpace {
  readonly free: number;
  readonly reserved: number;
}
