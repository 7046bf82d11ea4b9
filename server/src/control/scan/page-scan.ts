import { type Kysely, sql } from 'kysely';
import { mostRows } from '../../search/page.ts';
import type { ControlDialect } from '../connect.ts';
import { orderOf, type Reading, type Row, readingOf, type Wanted } from './reading.ts';
import { rowsAtOnce } from './scan.ts';

/** Where a row stands in the order of answers: the columns that it is ordered by. */
export type Place = Readonly<Record<string, number | string>>;

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
  /** The records as JSON with commas between. */
  readonly text: string;
}

/** Reads one page of the owner's records that match. */
export async function scanPage(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: PageRequest,
): Promise<ScannedPage> {
  const upTo = request.upTo ?? (await lastOf(db, request));
  const reading = readingOf(db, dialect, { ...request, upTo });
  const { texts, last, total } = reading.isExact
    ? await exactPage(reading, request)
    : await matchedPage(reading, request);
  const order = orderOf(request.dataset);
  const place = last && Object.fromEntries(order.map((column) => [column, last[column] as number | string]));
  return { text: texts.join(','), rows: texts.length, last: place, upTo, total };
}

interface Found {
  readonly texts: readonly string[];
  readonly last: Row | undefined;
  readonly total: number | undefined;
}

async function exactPage({ read, count, textOf }: Reading, { rows, after }: PageRequest): Promise<Found> {
  const found = await read(after, rows);
  const counted = async () => (found.length < rows ? found.length : await count(mostRows));
  const total = after ? undefined : await counted();
  return { texts: found.map((row) => textOf(row) as string), last: found.at(-1), total };
}

/** What the store can not decide is decided here; the first page reads on to count. */
async function matchedPage({ read, textOf }: Reading, { rows, after }: PageRequest): Promise<Found> {
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
  return { texts, last, total: after ? undefined : Math.min(matching, mostRows) };
}

async function lastOf(db: Kysely<unknown>, { dataset, ownerId }: Wanted): Promise<number> {
  const query = sql<{ last: number | null }>`select max(${sql.ref(dataset.key)}) as last
    from ${sql.table(dataset.table)} where owner_id = ${ownerId}`;
  return Number((await query.execute(db)).rows[0]?.last ?? 0);
}
