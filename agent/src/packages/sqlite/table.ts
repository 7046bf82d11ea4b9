import type { CheckedBytes } from './checked-bytes.ts';
import { DamagedDatabase } from './damaged-database.ts';
import type { Pages } from './pages.ts';

const [interior, leaf] = [0x05, 0x0d];
/** Of the tree of one table, without those to which its rows overflow. */
const maxTreePages = 50_000;

/** A row of a table, in the record format. */
export interface Row {
  readonly bytes: number;
  /** Its first bytes: a row may be large, and what is looked for be at its start. */
  prefix(maxBytes: number): Promise<Buffer>;
}

/** The rows of the table whose tree starts at a page, in the order of their ids. */
export async function* rowsOf(pages: Pages, root: number): AsyncGenerator<Row> {
  const known = new Set([root]);
  const waiting = [root];
  const overflow = new OverflowPages(pages);
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = await pages.page(number);
    // The first page starts with the header of the database.
    const start = number === 1 ? 100 : 0;
    const type = page.uint8(start);
    if (type === leaf) {
      for (const cell of cellsOf(page, start, 8)) yield rowAt(page, cell, overflow);
    } else if (type === interior) {
      const children = cellsOf(page, start, 12).map((cell) => page.uint32(cell));
      for (const child of [...children, page.uint32(start + 8)].reverse()) {
        if (known.has(child)) throw new DamagedDatabase(`Page ${child} is in a table twice.`);
        if (known.size === maxTreePages) throw new DamagedDatabase('A table has too many pages.');
        known.add(child);
        waiting.push(child);
      }
    } else throw new DamagedDatabase(`Page ${number} is not of a table.`);
  }
}

function cellsOf(page: CheckedBytes, start: number, headerBytes: number): number[] {
  const count = page.uint16(start + 3);
  return Array.from({ length: count }, (_, at) => page.uint16(start + headerBytes + 2 * at));
}

function rowAt(page: CheckedBytes, cell: number, overflow: OverflowPages): Row {
  const { value: bytes, next } = page.varint(cell);
  const { next: start } = page.varint(next);
  const localBytes = localBytesOf(bytes, overflow.usableBytes);
  const local = page.slice(start, localBytes);
  const first = localBytes < bytes ? page.uint32(start + localBytes) : 0;
  return {
    bytes,
    prefix: async (maxBytes) => {
      const wanted = Math.min(bytes, maxBytes);
      if (wanted <= localBytes) return local.subarray(0, wanted);
      return Buffer.concat([local, await overflow.read(first, wanted - localBytes)]);
    },
  };
}

/** How much of a row is in its tree: all if it fits, otherwise so much that its last overflow page is full. */
function localBytesOf(bytes: number, usableBytes: number): number {
  if (bytes <= usableBytes - 35) return bytes;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const filling = least + ((bytes - least) % (usableBytes - 4));
  return filling <= usableBytes - 35 ? filling : least;
}

/** Each page belongs to one row, and a row is read twice at most: more pages are only read if chains have cycles. */
class OverflowPages {
  readonly usableBytes: number;
  readonly #pages: Pages;
  #budget: number;

  constructor(pages: Pages) {
    this.#pages = pages;
    this.usableBytes = pages.format.usableBytes;
    this.#budget = 2 * pages.format.pageCount;
  }

  async read(first: number, bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let number = first;
    for (let missing = bytes; missing > 0; ) {
      if (--this.#budget < 0) throw new DamagedDatabase('The overflow pages of its rows have a cycle.');
      const page = await this.#pages.page(number);
      const chunk = page.slice(4, Math.min(missing, this.usableBytes - 4));
      chunks.push(chunk);
      missing -= chunk.length;
      number = page.uint32(0);
    }
    return Buffer.concat(chunks, bytes);
  }
}
