import { escapeControls } from '../control-characters.ts';
import { grid } from '../table.ts';
import { shortened } from '../width.ts';
import type { Row } from './rows.ts';

/** In terminal columns. */
const maxCellWidth = 60;

export function tableOf(names: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    names.map((name) => shortened(escapeControls(cellOf(row.get(name), 'null')), maxCellWidth)),
  );
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
  return rows.length === 0 ? 'No rows.' : `${grid([names, ...lines])}\n\n${count}`;
}

/** RFC 4180; null is an empty cell, and JSON is serialized. */
export function csvOf(names: readonly string[], rows: readonly Row[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row.get(name), '')))];
  return lines
    .map((cells) => cells.map((cell) => (/[",\r\n]/.test(cell) ? quoted(cell) : cell)).join(','))
    .join('\r\n');
}

/** JSON array with one row per line; numbers keep all digits. */
export function jsonOf(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) => `{${[...row].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
  );
  return rows.length === 0 ? '[]' : `[\n  ${lines.join(',\n  ')}\n]`;
}

function cellOf(value: string | undefined, nullValue: string): string {
  if (value === undefined || value === 'null') return nullValue;
  return value.startsWith('"') ? JSON.parse(value) : value;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
