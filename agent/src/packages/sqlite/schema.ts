import { CheckedBytes } from './checked-bytes.ts';
import { DamagedDatabase } from './damaged-database.ts';
import type { Pages } from './pages.ts';
import { columnsOf, pageNumberAt, stringAt } from './record.ts';
import { rowsOf } from './table.ts';

/** The table of all tables starts at the first page: type, name, tbl_name, rootpage, sql. */
const [schemaPage, type, name, rootPage] = [1, 0, 1, 3];
const maxTables = 1_000;
/** The columns before the SQL text. */
const maxPrefix = 4_096;

/** The page at which the tree of a table starts; undefined if there is no such table. */
export async function rootPageOf(pages: Pages, table: string): Promise<number | undefined> {
  const { encoding } = pages.format;
  let tables = 0;
  for await (const row of rowsOf(pages, schemaPage)) {
    if (++tables > maxTables) throw new DamagedDatabase('It has too many tables.');
    const bytes = new CheckedBytes(await row.prefix(maxPrefix));
    const columns = columnsOf(bytes);
    if (stringAt(bytes, columns[type], encoding) !== 'table') continue;
    if (stringAt(bytes, columns[name], encoding) === table) return pageNumberAt(bytes, columns[rootPage]);
  }
  return undefined;
}
