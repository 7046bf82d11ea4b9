import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Reading, read, unreadable } from '../reading.ts';

const chunkBytes = 128 * 1024;

export type FileWork<Value> = (file: FileHandle, status: Stats) => Promise<Reading<Value>>;

/** Opens a regular file for some work. The path is the one in messages. */
export async function withRegularFile<Value>(
  place: string,
  path: string,
  work: FileWork<Value>,
  flags = 0,
): Promise<Reading<Value>> {
  // A pipe or device in the place of the file must not be waited for.
  const file = await open(place, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const status = await file.stat();
    return status.isFile() ? await work(file, status) : unreadable(`${path} is not a regular file.`);
  } finally {
    await file.close();
  }
}

export interface ContentLimits {
  /** Holds for files that say nothing of their size too, as those of the kernel. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Reads the content of a file in chunks, in a buffer that is used again; how many bytes there were. */
export async function readChunks(
  file: FileHandle,
  path: string,
  { maxBytes, signal }: ContentLimits,
  take: (chunk: Buffer) => void,
): Promise<Reading<number>> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return read(size);
    size += bytesRead;
    if (size > maxBytes) return unreadable(`${path} has more than ${maxBytes} bytes.`);
    if (signal?.aborted) return unreadable(`${path} was not read to its end: the agent stops.`);
    take(buffer.subarray(0, bytesRead));
  }
}
