import { type Kysely, sql } from 'kysely';
import { mostRows } from '../../search/page.ts';
import type { ControlDialect } from '../connect.ts';
import {
  orderOf,
  type Place,
  placeOf,
  type Reading,
  type Row,
  type RowsText,
  readingOf,
  type Wanted,
} from './reading.ts';
import { rowsAtOnce } from './scan.ts';

export interface PageRequest extends Wanted {
  /** Records that the page may have. */
  readonly rows: number;
  /** The record before it; the first page has none, counts them all and says up to which number. */
  readonly after: Place | undefined;
}

/** What is known of a page besides its text. */
export interface PageFacts {
  readonly rows: number;
  readonly last: Place | undefined;
  readonly upTo: number;
  /** Of the first page only. */
  readonly total: number | undefined;
}

export interface ScannedPage extends PageFacts {
  /** The records as JSON with commas between, in UTF-8. */
  readonly text: Uint8Array;
}

/** Reads one page of the owner's records that match, its place and its total, all of one moment. */
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
): Promise<Found> {
  const reading = readingOf(db, dialect, request);
  return reading.isExact ? exactPage(reading, request, upTo) : matchedPage(reading, request);
}

interface Found extends RowsText {
  readonly total: number | undefined;
}

/** Numbers are given out one by one, so there are no more than the last says: then counting needs no end of its own. */
async function exactPage(
  { readText, count }: Reading,
  { rows, after }: PageRequest,
  upTo: number,
): Promise<Found> {
  const page = await readText(after, rows);
  const counting = () => count(upTo > mostRows ? mostRows : undefined);
  const total = after ? undefined : page.rows < rows ? page.rows : await counting();
  return { ...page, total };
}

/** What the store can not decide is decided here; the first page reads on to count. */
async function matchedPage({ read, textOf }: Reading, { dataset, rows, after }: PageRequest): Promise<Found> {
  const texts: string[] = [];
  let last: Row | undefined;
  let matching = 0;
  for (let place: Row | undefined = after; ; ) {
    const batch = await read(place, rowsAtOnce);
    for (const row of batch) {
      const text = textOf(row);
      if (text === undefined) continue;
      matching += 1;
      if (texts.length === rows) continue;
      texts.push(text);
      last = row;
    }
    place = batch.at(-1);
    const isEnough = after ? texts.length === rows : matching >= mostRows;
    if (isEnough || batch.length < rowsAtOnce) break;
  }
  return {
    text: new TextEncoder().encode(texts.join(',')),
    rows: texts.length,
    last: last && placeOf(last, orderOf(dataset)),
    total: after ? undefined : Math.min(matching, mostRows),
  };
}

async function lastOf(db: Kysely<unknown>, { dataset, ownerId }: Wanted): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${sql.ref(dataset.key)}) as last
    from ${sql.table(dataset.table)} where owner_id = ${ownerId}`;
  return Number((await query.execute(db)).rows[0]?.last ?? 0);
}
