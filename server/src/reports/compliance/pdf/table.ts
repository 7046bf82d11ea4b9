import type { Cell, Column, Table } from '../outline/block.ts';
import { light } from '../visual/palette.ts';
import type { Element, Paper } from './paper.ts';
import { styles, type TextStyle } from './text.ts';

const gap = 10;
const padding = 3;
const markSize = 6.5;
const markSpace = 10;

interface Place {
  readonly column: Column;
  readonly x: number;
  readonly width: number;
}

/** A cell that is broken into lines. */
interface Laid {
  readonly cell: Cell;
  readonly place: Place;
  readonly style: TextStyle;
  readonly lines: readonly string[];
}

/** Draws a table row by row. Its header is repeated on each page, for the eye only. */
export async function drawTable(paper: Paper, { caption, columns, rows, isNarrow }: Table): Promise<void> {
  const width = isNarrow ? paper.width * 0.62 : paper.width;
  const places = placesOf(paper, columns, width);
  const head = places.map((place): Laid => {
    const lines = paper.text.lines(place.column.title, styles.head, place.width);
    return { cell: { text: place.column.title }, place, style: styles.head, lines };
  });
  const headHeight = heightOf(head);
  paper.reserve(styles.label.leading + headHeight + 4 * styles.cell.leading);
  paper.y += 4;
  const table = paper.element(paper.section, 'Table');
  paper.element(table, 'Caption', () => paper.lines([caption], styles.label, paper.left, paper.y));
  paper.y += styles.label.leading + 2;
  drawHead(paper, head, width, paper.element(table, 'TR'));
  const repeat = () => {
    paper.newPage();
    drawHead(paper, head, width);
  };
  for (const cells of rows) {
    drawRow(paper, layRow(paper, cells, places), paper.element(table, 'TR'), width, repeat);
    await paper.drained();
  }
  table.end();
  paper.y += 8;
}

function placesOf(paper: Paper, columns: readonly Column[], width: number): Place[] {
  let x = paper.left;
  return columns.map((column, index) => {
    const whole = width * column.share;
    const place = { column, x, width: index === columns.length - 1 ? whole : whole - gap };
    x += whole;
    return place;
  });
}

function layRow(paper: Paper, cells: readonly Cell[], places: readonly Place[]): Laid[] {
  return places.map((place, index) => {
    const cell = cells[index] ?? { text: '' };
    const style = place.column.kind === 'code' ? styles.code : styles.cell;
    const width = place.width - (cell.mark ? markSpace : 0);
    return { cell, place, style, lines: paper.text.lines(cell.text, style, width) };
  });
}

const heightOf = (row: readonly Laid[]) =>
  2 * padding + Math.max(...row.map(({ lines, style }) => lines.length * style.leading));

function drawHead(paper: Paper, head: readonly Laid[], width: number, row?: Element): void {
  const height = heightOf(head);
  const draw = ({ place, style, lines }: Laid) => {
    const top = paper.y + height - padding - lines.length * style.leading;
    paper.lines(lines, style, place.x, top, rightOf(place));
  };
  if (row) {
    for (const cell of head) paper.element(row, 'TH', () => draw(cell), { scope: 'Column' });
    row.end();
  } else paper.artifact('Pagination', () => head.forEach(draw));
  paper.y += height;
  paper.rule(paper.y, light.rule, 0.75, width);
}

/** A row stays on one page if a page can hold it; otherwise its lines continue on the next one. */
function drawRow(
  paper: Paper,
  row: readonly Laid[],
  element: Element,
  width: number,
  newPage: () => void,
): void {
  const height = heightOf(row);
  if (paper.y + height > paper.bottom && height <= paper.height / 2) newPage();
  const elements = row.map((_, index) =>
    paper.element(element, index === 0 ? 'TH' : 'TD', undefined, index === 0 ? { scope: 'Row' } : {}),
  );
  const leading = Math.max(...row.map(({ style }) => style.leading));
  const total = Math.max(...row.map(({ lines }) => lines.length));
  for (let from = 0; from < total; ) {
    const space = Math.floor((paper.bottom - paper.y - 2 * padding) / leading);
    if (space < 1) {
      newPage();
      continue;
    }
    const to = Math.min(total, from + space);
    for (const [index, laid] of row.entries()) drawCell(paper, laid, elements[index] as Element, from, to);
    paper.y +=
      2 * padding + Math.max(...row.map(({ lines, style }) => slice(lines, from, to).length * style.leading));
    from = to;
    if (from < total) newPage();
  }
  element.end();
  paper.rule(paper.y, light.hairline, 0.5, width);
}

function drawCell(
  paper: Paper,
  { cell, place, style, lines }: Laid,
  element: Element,
  from: number,
  to: number,
): void {
  const part = slice(lines, from, to);
  if (part.length === 0) return;
  const top = paper.y + padding;
  const { mark } = cell;
  if (mark && from === 0) paper.mark(mark, place.x, top + (style.leading - markSize) / 2, markSize);
  const x = place.x + (mark ? markSpace : 0);
  element.add(() => paper.lines(part, style, x, top, rightOf(place)));
}

const slice = (lines: readonly string[], from: number, to: number) => lines.slice(from, to);

/** The right edge of numbers, which are aligned there. */
const rightOf = ({ column, x, width }: Place) => (column.kind === 'number' ? x + width : undefined);
