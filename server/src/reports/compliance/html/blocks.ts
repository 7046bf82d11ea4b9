import type { Block, Cell, Column, Fact, Mark, Table } from '../outline/block.ts';
import { chartOf } from '../visual/chart.ts';
import { type Shape, shapeSize, shapesOf, strokeWidth } from '../visual/shape.ts';
import { escaped } from './escape.ts';

/** Everything but headings, in chunks. */
export function* blockHtml(block: Exclude<Block, { kind: 'heading' }>): Generator<string> {
  switch (block.kind) {
    case 'title':
      yield `<h1>${escaped(block.text)}</h1>\n<dl class="about">${block.facts.map(factHtml).join('')}</dl>\n`;
      return;
    case 'score':
      yield `<p class="score"><strong>${escaped(block.value)}</strong><span>Score. ${escaped(block.meaning)}</span></p>\n`;
      return;
    case 'paragraph':
      yield `<p${block.isNote ? ' class="note"' : ''}>${escaped(block.text)}</p>\n`;
      return;
    case 'facts':
      yield `<dl class="facts">${block.facts.map((fact) => `<div>${factHtml(fact)}</div>`).join('')}</dl>\n`;
      return;
    case 'steps':
      yield `<p class="label">${escaped(block.label)}</p>\n${stepsHtml(block.steps)}\n`;
      return;
    case 'code':
      yield `<p class="label">${escaped(block.label)}</p>\n<pre><code>${escaped(block.text)}</code></pre>\n`;
      return;
    case 'chart':
      yield chartHtml(block);
      return;
    case 'table':
      yield* tableHtml(block);
  }
}

function factHtml({ term, value, mark }: Fact): string {
  return `<dt>${escaped(term)}</dt><dd>${mark ? markHtml(mark) : ''}${escaped(value)}</dd>`;
}

function stepsHtml(steps: readonly string[]): string {
  const [only = ''] = steps;
  if (steps.length <= 1) return `<p>${escaped(only)}</p>`;
  return `<ol>${steps.map((step) => `<li>${escaped(step)}</li>`).join('')}</ol>`;
}

function* tableHtml({ caption, columns, rows, isNarrow }: Table): Generator<string> {
  const widths = columns.map(({ share }) => `<col class="w${Math.round(share * 100)}">`);
  const titles = columns.map(
    (column) =>
      `<th scope="col"${column.kind === 'number' ? classOf(column) : ''}>${escaped(column.title)}</th>`,
  );
  yield `<table${isNarrow ? ' class="narrow"' : ''}><caption>${escaped(caption)}</caption><colgroup>${widths.join('')}</colgroup>` +
    `<thead><tr>${titles.join('')}</tr></thead><tbody>\n`;
  for (const cells of rows)
    yield `<tr>${cells.map((cell, index) => cellHtml(cell, columns[index] as Column, index === 0)).join('')}</tr>\n`;
  yield '</tbody></table>\n';
}

function cellHtml({ text, mark, target }: Cell, column: Column, isHeader: boolean): string {
  const value = `${mark ? markHtml(mark) : ''}${escaped(text)}`;
  const linked = target === undefined ? value : `<a href="#${escaped(target)}">${value}</a>`;
  return isHeader
    ? `<th scope="row"${classOf(column)}>${linked}</th>`
    : `<td${classOf(column)}>${linked}</td>`;
}

const classOf = ({ kind }: Column) => (kind === 'text' ? '' : ` class="${kind}"`);

/** The word is beside it, so it is hidden from screen readers. */
function markHtml(mark: Mark): string {
  const inner = shapesOf(mark).map(shapeHtml).join('');
  const name = `${mark.of}-${mark.value}`;
  return `<svg class="mark ${name}" viewBox="0 0 ${shapeSize} ${shapeSize}" aria-hidden="true">${inner}</svg>`;
}

function shapeHtml(shape: Shape): string {
  const paint =
    shape.paint === 'fill'
      ? 'fill="currentColor"'
      : `fill="none" stroke="currentColor" stroke-width="${strokeWidth}"`;
  if ('centre' in shape)
    return `<circle cx="${shape.centre[0]}" cy="${shape.centre[1]}" r="${shape.radius}" ${paint}/>`;
  const name = shape.paint === 'stroke' ? 'polyline' : 'polygon';
  return `<${name} points="${shape.points.map((point) => point.join(',')).join(' ')}" ${paint}/>`;
}

function chartHtml({ points, alternative }: Extract<Block, { kind: 'chart' }>): string {
  const { width, height, line, grid, left, right, labels } = chartOf(points, 640, 160);
  const rules = grid.map(
    ({ y, label }) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/>` +
      `<text class="axis end" x="${left - 6}" y="${y + 3.5}">${label}</text>`,
  );
  const dots = line.map(([x, y]) => `<circle class="dot" cx="${x}" cy="${y}" r="2.5"/>`);
  const texts = labels.map(
    ({ at: [x, y], text, isEnd }) =>
      `<text class="axis${isEnd ? ' end' : ''}" x="${x}" y="${y}">${escaped(text)}</text>`,
  );
  return (
    `<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(alternative)}">${rules.join('')}` +
    `<polyline class="line" points="${line.map((point) => point.join(',')).join(' ')}"/>` +
    `${dots.join('')}${texts.join('')}</svg></figure>\n`
  );
}
