import { type Kysely, sql } from 'kysely';
import { maxRows } from '../../search/page.ts';
import type { ControlDialect } from '../connect.ts';
import {
  orderOf,
  type Place,
  placeOf,
  type Reading,
  type RecordSelection,
  type Row,
  readingOf,
  type SerializedRows,
} from './reading.ts';
import { rowsAtOnce } from './scan.ts';

export interface PageRequest extends RecordSelection {
  /** Maximum number of records of the page. */
  readonly rows: number;
  /** Position of the preceding record. The first page has none; it counts all records and sets `upTo`. */
  readonly after: Place | undefined;
}

/** Metadata of a page. */
export interface PageMetadata {
  readonly rows: number;
  readonly last: Place | undefined;
  readonly upTo: number;
  /** Set for the first page only. */
  readonly total: number | undefined;
}

export interface ScannedPage extends PageMetadata {
  /** The records as JSON separated by commas, in UTF-8. */
  readonly json: Uint8Array;
}

/** Reads one page of the owner's matching records and its metadata from a consistent snapshot. */
export async function scanPage(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: PageRequest,
): Promise<ScannedPage> {
  return db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const upTo = request.upTo ?? (await lastOf(tx, request));
      return { ...(await pageIn(tx, dialect, request, upTo)), upTo };
    });
}

async function pageIn(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: PageRequest,
  upTo: number,
): Promise<PageContent> {
  const reading = readingOf(db, dialect, request);
  return reading.isExact ? exactPage(reading, request, upTo) : matchedPage(reading, request);
}

interface PageContent extends SerializedRows {
  readonly total: number | undefined;
}

/** Numbers are consecutive, so the last one bounds the count, and small counts need no limit. */
async function exactPage(
  { readSerialized, count }: Reading,
  { rows, after }: PageRequest,
  upTo: number,
): Promise<PageContent> {
  const page = await readSerialized(after, rows);
  const countAll = () => count(upTo > maxRows ? maxRows : undefined);
  const total = after ? undefined : page.rows < rows ? page.rows : await countAll();
  return { ...page, total };
}

/** Applies the filters that the database can not; the first page reads to the end to count. */
async function matchedPage(
  { read, jsonOf }: Reading,
  { dataset, rows, after }: PageRequest,
): Promise<PageContent> {
  const records: string[] = [];
  let last: Row | undefined;
  let matching = 0;
  for (let position: Row | undefined = after; ; ) {
    const batch = await read(position, rowsAtOnce);
    for (const row of batch) {
      const json = jsonOf(row);
      if (json === undefined) continue;
      matching += 1;
      if (records.length === rows) continue;
      records.push(json);
      last = row;
    }
    position = batch.at(-1);
    const isComplete = after ? records.length === rows : matching >= maxRows;
    if (isComplete || batch.length < rowsAtOnce) break;
  }
  return {
    json: new TextEncoder().encode(records.join(',')),
    rows: records.length,
    last: last && placeOf(last, orderOf(dataset)),
    total: after ? undefined : Math.min(matching, maxRows),
  };
}

async function lastOf(db: Kysely<unknown>, { dataset, ownerId }: RecordSelection): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${sql.ref(dataset.key)}) as last
    from ${sql.table(dataset.table)} where owner_id = ${ownerId}`;
  return Number((await query.execute(db)).rows[0]?.last ?? 0);
}
