import type { CheckedBytes } from './checked-bytes.ts';
import { DamagedDatabase } from './damaged-database.ts';
import type { Encoding } from './pages.ts';

export type ColumnKind = 'null' | 'integer' | 'real' | 'string' | 'blob';

/** Where the value of a column is in its row. */
export interface Column {
  readonly kind: ColumnKind;
  readonly offset: number;
  readonly bytes: number;
  /** Of the integers 0 and 1, which have no bytes. */
  readonly constant?: number;
}

const maxColumns = 64;
const integerBytes = [0, 1, 2, 3, 4, 6, 8];

/** The columns of a row, from its first bytes; their values may be beyond those. */
export function columnsOf(row: CheckedBytes): Column[] {
  const header = row.varint(0);
  const columns: Column[] = [];
  let offset = header.value;
  for (let at = header.next; at < header.value; ) {
    if (columns.length === maxColumns) throw new DamagedDatabase('A row has too many columns.');
    const { value: type, next } = row.varint(at);
    const column = { ...columnOf(type), offset };
    columns.push(column);
    offset += column.bytes;
    at = next;
  }
  return columns;
}

function columnOf(type: number): Omit<Column, 'offset'> {
  if (type === 0) return { kind: 'null', bytes: 0 };
  const bytes = integerBytes[type];
  if (bytes !== undefined) return { kind: 'integer', bytes };
  if (type === 7) return { kind: 'real', bytes: 8 };
  if (type === 8 || type === 9) return { kind: 'integer', bytes: 0, constant: type - 8 };
  if (type < 12) throw new DamagedDatabase('A column has an unknown type.');
  return type % 2 === 0
    ? { kind: 'blob', bytes: (type - 12) / 2 }
    : { kind: 'string', bytes: (type - 13) / 2 };
}

/** Undefined if the column is not a string. */
export function stringAt(
  row: CheckedBytes,
  column: Column | undefined,
  encoding: Encoding,
): string | undefined {
  if (column?.kind !== 'string') return undefined;
  const bytes = row.slice(column.offset, column.bytes);
  if (encoding !== 'utf16be') return bytes.toString(encoding);
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Undefined if the column is not an integer that is a number of a page: positive, of four bytes at most. */
export function pageNumberAt(row: CheckedBytes, column: Column | undefined): number | undefined {
  if (column?.kind !== 'integer') return undefined;
  if (column.constant !== undefined) return column.constant;
  if (column.bytes > 4) return undefined;
  const number = row.slice(column.offset, column.bytes).readIntBE(0, column.bytes);
  return number > 0 ? number : undefined;
}
