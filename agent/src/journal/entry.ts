import { gunzipSync, gzipSync } from 'node:zlib';
import { type DatasetPath, datasets } from '../datasets.ts';

/** A batch of stamped records of one dataset, as it is sent. */
export interface Batch {
  readonly path: DatasetPath;
  /** One JSON object in each line. */
  readonly body: string;
}

/** What one observation adds to the journal. */
export interface Entry {
  /** Counts up from 1; never used twice. */
  readonly number: number;
  /** The source, if it has a cursor. */
  readonly source: string;
  readonly cursor: unknown;
  /** Hours since the epoch. */
  readonly hour: number;
  readonly batches: readonly Batch[];
  /** What the memory of the hour remembers, by dataset. */
  readonly digests: ReadonlyMap<DatasetPath, Buffer>;
}

export function encodeEntry({ digests, ...entry }: Entry): Buffer {
  const remembered = Object.fromEntries(
    [...digests].map(([path, bytes]) => [path, bytes.toString('base64')]),
  );
  return gzipSync(JSON.stringify({ ...entry, digests: remembered }), { level: 1 });
}

/** Undefined if it is not an entry: the journal may have been written by another release. */
export function decodeEntry(payload: Buffer, maxBytes: number): Entry | undefined {
  try {
    const value = JSON.parse(gunzipSync(payload, { maxOutputLength: maxBytes }).toString('utf8'));
    const { number, source, cursor, hour, batches, digests } = value;
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(hour) || typeof source !== 'string')
      return undefined;
    if (!Array.isArray(batches) || !batches.every(isBatch)) return undefined;
    const remembered = Object.entries(digests as Record<string, string>).filter(([path]) => isPath(path));
    return {
      ...{ number, source, cursor, hour, batches },
      digests: new Map(remembered.map(([path, text]) => [path as DatasetPath, Buffer.from(text, 'base64')])),
    };
  } catch {
    return undefined;
  }
}

function isBatch(value: unknown): value is Batch {
  const { path, body } = value as Partial<Record<string, unknown>>;
  return isPath(path) && typeof body === 'string';
}

function isPath(path: unknown): path is DatasetPath {
  return typeof path === 'string' && Object.hasOwn(datasets, path);
}
