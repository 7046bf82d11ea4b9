import { DamagedDatabase } from './damaged-database.ts';
import type { RandomAccess } from './random-access.ts';

const [headerBytes, frameHeaderBytes] = [32, 24];
/** The lowest bit is set if the words of which checksums are made are big-endian. */
const magic = 0x377f0682;
const formatVersion = 3_007_000;
const [maxFrames, maxLogBytes] = [262_144, 512 * 1024 * 1024];
const windowBytes = 256 * 1024;

/** The committed changes of a database that are not in its file yet. */
export interface WriteAheadLog {
  readonly pageSize: number;
  /** Pages of the database after the last commit. */
  readonly pageCount: number;
  /** Where the last content of a page starts in the log. */
  readonly pages: ReadonlyMap<number, number>;
}

/** Undefined if nothing is committed in it: then the file of the database is complete. */
export async function readWriteAheadLog(log: RandomAccess): Promise<WriteAheadLog | undefined> {
  if (log.size < headerBytes) return undefined;
  if (log.size > maxLogBytes) throw new DamagedDatabase('Its log is too large.');
  const header = await log.read(0, headerBytes);
  const kind = header.readUInt32BE(0);
  if (kind !== magic && kind !== magic + 1) return undefined;
  const isLittleEndian = kind === magic;
  let sum: Checksum = checksumOf(header.subarray(0, 24), isLittleEndian, [0, 0]);
  // SQLite takes a log with another checksum for an empty one: its header was not written to its end.
  if (!isStored(sum, header, 24)) return undefined;
  if (header.readUInt32BE(4) !== formatVersion)
    throw new DamagedDatabase('The format of its log is unknown.');
  const pageSize = header.readUInt32BE(8);
  if (!isPageSize(pageSize)) throw new DamagedDatabase('The page size of its log is invalid.');
  const salt = header.subarray(16, 24);

  const pages = new Map<number, number>();
  let pageCount = 0;
  let uncommitted: [page: number, offset: number][] = [];
  for await (const { frame, at } of framesOf(log, frameHeaderBytes + pageSize)) {
    // The rest of the log is of earlier transactions, or of one that was interrupted.
    if (!frame.subarray(8, 16).equals(salt)) break;
    sum = checksumOf(frame.subarray(0, 8), isLittleEndian, sum);
    sum = checksumOf(frame.subarray(frameHeaderBytes), isLittleEndian, sum);
    const page = frame.readUInt32BE(0);
    if (!isStored(sum, frame, 16) || page === 0) break;
    uncommitted.push([page, at + frameHeaderBytes]);
    const committedPages = frame.readUInt32BE(4);
    if (committedPages === 0) continue;
    for (const [number, offset] of uncommitted) pages.set(number, offset);
    [pageCount, uncommitted] = [committedPages, []];
  }
  return pageCount > 0 ? { pageSize, pageCount, pages } : undefined;
}

/** Each frame is valid until the next one: a log may be large, and all of it is read. */
async function* framesOf(
  log: RandomAccess,
  frameBytes: number,
): AsyncGenerator<{ readonly frame: Buffer; readonly at: number }> {
  const window = Buffer.allocUnsafe(frameBytes * Math.max(1, Math.floor(windowBytes / frameBytes)));
  let frames = 0;
  for (let start = headerBytes; start + frameBytes <= log.size; start += window.length) {
    const filled = await log.readInto(window, start);
    for (let from = 0; from + frameBytes <= filled; from += frameBytes) {
      if (++frames > maxFrames) throw new DamagedDatabase('Its log is too large.');
      yield { frame: window.subarray(from, from + frameBytes), at: start + from };
    }
  }
}

export function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}

type Checksum = readonly [number, number];

function checksumOf(bytes: Buffer, isLittleEndian: boolean, [first, second]: Checksum): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [first | 0, second | 0];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + words.getInt32(at, isLittleEndian) + b) | 0;
    b = (b + words.getInt32(at + 4, isLittleEndian) + a) | 0;
  }
  return [a, b];
}

function isStored([a, b]: Checksum, bytes: Buffer, at: number): boolean {
  return bytes.readInt32BE(at) === a && bytes.readInt32BE(at + 4) === b;
}
