import { maxPackages, type ParsedPackages } from './installed-package.ts';
import { parseRpmHeader, type RpmHeader } from './rpm-header.ts';
import { CheckedBytes } from './sqlite/checked-bytes.ts';
import { DamagedDatabase } from './sqlite/damaged-database.ts';
import { Pages } from './sqlite/pages.ts';
import type { RandomAccess } from './sqlite/random-access.ts';
import { columnsOf } from './sqlite/record.ts';
import { rootPageOf } from './sqlite/schema.ts';
import { type Row, rowsOf } from './sqlite/table.ts';

/** A header is mostly file names and digests; what is read of it is at its start. */
const firstBytes = 8 * 1024;
const maxHeaderBytes = 16 * 1024 * 1024;
/** Packages(hnum INTEGER PRIMARY KEY, blob BLOB). */
const [table, headerColumn] = ['Packages', 1];

export interface RpmTable extends ParsedPackages {
  /** Why the rest of the table could not be read. */
  readonly damage?: string;
}

/** The packages of `rpmdb.sqlite`, with the changes that are in its log only. */
export async function readRpmTable(database: RandomAccess, log?: RandomAccess): Promise<RpmTable> {
  const packages: ParsedPackages['packages'][number][] = [];
  let [rows, damaged] = [0, 0];
  try {
    const pages = await Pages.open(database, log);
    const root = await rootPageOf(pages, table);
    if (root === undefined) throw new DamagedDatabase(`It has no table ${table}.`);
    for await (const row of rowsOf(pages, root)) {
      if (++rows > maxPackages) throw new DamagedDatabase('It has too many packages.');
      const header = await headerOf(row);
      if (header.is === 'package') packages.push(header.package);
      else if (header.is !== 'key') damaged++;
    }
    return { packages, damaged };
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
    return { packages, damaged, damage: error.message };
  }
}

async function headerOf(row: Row): Promise<RpmHeader> {
  const header = headerIn(await row.prefix(firstBytes));
  if (header.is !== 'incomplete' || row.bytes > maxHeaderBytes) return header;
  return headerIn(await row.prefix(maxHeaderBytes));
}

function headerIn(prefix: Buffer): RpmHeader {
  const column = columnsOf(new CheckedBytes(prefix))[headerColumn];
  if (column?.kind !== 'blob') return { is: 'damaged' };
  const { offset, bytes } = column;
  return parseRpmHeader(prefix.subarray(offset, offset + bytes), bytes);
}
