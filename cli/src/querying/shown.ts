import { grid } from '../table.ts';
import { shortened } from '../width.ts';
import type { Row } from './answer.ts';

/** Columns of a terminal that a cell takes at most. */
const widest = 60;

/** Rows under the names of their columns. */
export function tableOf(names: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    names.map((name) => shortened(visible(cellOf(row.get(name), 'null')), widest)),
  );
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
  return rows.length === 0 ? 'No rows.' : `${grid([names, ...lines])}\n\n${count}`;
}

/** Comma-separated values as RFC 4180 has them; null is nothing at all, and JSON its text. */
export function csvOf(names: readonly string[], rows: readonly Row[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row.get(name), '')))];
  return lines
    .map((cells) => cells.map((cell) => (/[",\r\n]/.test(cell) ? quoted(cell) : cell)).join(','))
    .join('\r\n');
}

/** A JSON array with a row on each line, digit for digit as it came. */
export function jsonOf(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) => `{${[...row].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
  );
  return rows.length === 0 ? '[]' : `[\n  ${lines.join(',\n  ')}\n]`;
}

function cellOf(value: string | undefined, nothing: string): string {
  if (value === undefined || value === 'null') return nothing;
  return value.startsWith('"') ? JSON.parse(value) : value;
}

/** What would move the cursor or colour the terminal is shown as JSON writes it. */
function visible(text: string): string {
  return text.replace(/[\p{Control}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu, (character) => {
    const written = JSON.stringify(character).slice(1, -1);
    return written === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : written;
  });
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
