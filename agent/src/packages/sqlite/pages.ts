import { CheckedBytes } from './checked-bytes.ts';
import { DamagedDatabase } from './damaged-database.ts';
import type { RandomAccess } from './random-access.ts';
import { isPageSize, readWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts';

const magic = Buffer.from('SQLite format 3\0', 'latin1');
const headerBytes = 100;
const encodings = { 1: 'utf8', 2: 'utf16le', 3: 'utf16be' } as const;
export type Encoding = (typeof encodings)[keyof typeof encodings];

interface Files {
  readonly database: RandomAccess;
  readonly log: RandomAccess | undefined;
}

interface Format {
  readonly pageSize: number;
  readonly pageCount: number;
  /** The bytes of a page without those that are reserved for extensions. */
  readonly usableBytes: number;
  readonly encoding: Encoding;
}

/** The pages of an SQLite database, as of the last commit. */
export class Pages {
  readonly format: Format;
  readonly #files: Files;
  readonly #log: WriteAheadLog | undefined;

  private constructor(files: Files, log: WriteAheadLog | undefined, format: Format) {
    this.#files = files;
    this.#log = log;
    this.format = format;
  }

  static async open(database: RandomAccess, log?: RandomAccess): Promise<Pages> {
    const committed = log && (await readWriteAheadLog(log));
    const first = committed?.pages.get(1);
    // A new database is in its log only, until it is copied to its file.
    const header = first !== undefined && log ? await log.read(first, headerBytes) : await headerOf(database);
    const format = formatOf(header);
    const pageCount = committed?.pageCount ?? Math.floor(database.size / format.pageSize);
    if (committed && committed.pageSize !== format.pageSize)
      throw new DamagedDatabase('Its log has another page size.');
    return new Pages({ database, log }, committed, { ...format, pageCount });
  }

  async page(number: number): Promise<CheckedBytes> {
    const { pageSize, pageCount } = this.format;
    if (number < 1 || number > pageCount) throw new DamagedDatabase(`There is no page ${number}.`);
    const { database, log } = this.#files;
    const logged = this.#log?.pages.get(number);
    return new CheckedBytes(
      logged !== undefined && log
        ? await log.read(logged, pageSize)
        : await database.read((number - 1) * pageSize, pageSize),
    );
  }
}

async function headerOf(database: RandomAccess): Promise<Buffer> {
  if (database.size < headerBytes) throw new DamagedDatabase('It is not an SQLite database.');
  return database.read(0, headerBytes);
}

function formatOf(header: Buffer): Omit<Format, 'pageCount'> {
  if (!header.subarray(0, magic.length).equals(magic))
    throw new DamagedDatabase('It is not an SQLite database.');
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : stored;
  if (!isPageSize(pageSize)) throw new DamagedDatabase('Its page size is invalid.');
  const usableBytes = pageSize - header.readUInt8(20);
  if (usableBytes < 480) throw new DamagedDatabase('Its page size is invalid.');
  const encoding = encodings[header.readUInt32BE(56) as keyof typeof encodings];
  if (!encoding) throw new DamagedDatabase('Its string encoding is invalid.');
  return { pageSize, usableBytes, encoding };
}
