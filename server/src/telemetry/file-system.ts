import { statfs } from 'node:fs/promises';

/** Bytes of a file system: all, and those that can still be written. */
export interface Space {
  readonly size: number;
  readonly free: number;
}

/** Of the file system that a directory lies in. */
export async function spaceOf(directory: string): Promise<Space> {
  const { bsize, blocks, bavail } = await statfs(directory);
  return { size: blocks * bsize, free: bavail * bsize };
}

/** As people read it, in the units in which sizes are configured. */
export function sizeText(bytes: number): string {
  return bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Bytes that are free, and bytes that must stay free. */
export interface FreeSpace {
  readonly free: number;
  readonly reserved: number;
}
