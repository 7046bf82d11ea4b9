import type { Block, Fact } from '../outline/block.ts';
import { light } from '../visual/palette.ts';
import { drawChart } from './figure.ts';
import type { Element, Paper } from './paper.ts';
import { drawTable } from './table.ts';
import { styles, type TextStyle } from './text.ts';

/** Lines longer than this are hard to follow. */
const proseWidth = 430;
const indent = 14;
const markSize = 6.5;

export async function drawBlock(paper: Paper, block: Block): Promise<void> {
  await paper.drained();
  switch (block.kind) {
    case 'title':
      return drawTitle(paper, block);
    case 'score':
      return drawScore(paper, block);
    case 'heading':
      return drawHeading(paper, block);
    case 'paragraph':
      return drawProse(paper, paper.section, 'P', block.text, block.isNote ? styles.note : styles.body);
    case 'facts':
      return drawFacts(paper, block.facts);
    case 'steps':
      return drawSteps(paper, block);
    case 'code':
      return drawCode(paper, block);
    case 'chart':
      return drawChart(paper, block);
    case 'table':
      return drawTable(paper, block);
  }
}

function drawTitle(paper: Paper, { text, facts }: Extract<Block, { kind: 'title' }>): void {
  paper.y += 18;
  const lines = paper.text.lines(text, styles.title, paper.width * 0.85);
  paper.bookmark(2, text);
  paper.element(paper.section, 'H1', () => paper.lines(lines, styles.title, paper.left, paper.y));
  paper.y += lines.length * styles.title.leading + 10;
  const list = paper.element(paper.section, 'L');
  const terms = Math.max(...facts.map(({ term }) => paper.text.width(term, styles.note))) + 16;
  for (const { term, value } of facts) {
    const values = paper.text.lines(value, styles.body, paper.width - terms);
    const item = paper.element(list, 'LI');
    paper.element(item, 'Lbl', () => paper.lines([term], styles.note, paper.left, paper.y));
    paper.element(item, 'LBody', () => paper.lines(values, styles.body, paper.left + terms, paper.y));
    item.end();
    paper.y += values.length * styles.body.leading + 2;
  }
  list.end();
  paper.y += 10;
}

function drawScore(paper: Paper, { value, meaning }: Extract<Block, { kind: 'score' }>): void {
  const start = paper.left + 16;
  const space = paper.text.width(value, styles.score) + 20;
  const lines = paper.text.lines(`Score. ${meaning}`, styles.note, paper.width - space - 32);
  const height = Math.max(styles.score.leading, lines.length * styles.note.leading) + 20;
  paper.reserve(height);
  paper.box(paper.y, height, light.sunken, light.text);
  const top = (content: number) => paper.y + (height - content) / 2;
  const { section } = paper;
  paper.element(section, 'P', () => paper.lines([value], styles.score, start, top(styles.score.leading)));
  paper.element(section, 'P', () =>
    paper.lines(lines, styles.note, start + space, top(lines.length * styles.note.leading)),
  );
  paper.y += height + 12;
}

const headingStyles = { 2: styles.h2, 3: styles.h3, 4: styles.h4 } as const;
const spaceBefore = { 2: 22, 3: 14, 4: 10 } as const;

function drawHeading(paper: Paper, { level, text, id }: Extract<Block, { kind: 'heading' }>): void {
  const style = headingStyles[level];
  const lines = paper.text.lines(text, style, paper.width);
  // A heading alone at the foot of a page has lost its text.
  if (id === 'summary') paper.newPage();
  else paper.reserve(spaceBefore[level] + lines.length * style.leading + (level === 2 ? 120 : 70));
  paper.openSection(level);
  if (paper.y > 70) paper.y += spaceBefore[level];
  if (level === 2) {
    paper.rule(paper.y - 4, light.text, 1.25);
    paper.y += 4;
  }
  if (level < 4) paper.bookmark(level, text);
  paper.element(paper.section, `H${level}`, () => paper.lines(lines, style, paper.left, paper.y));
  paper.y += lines.length * style.leading + 3;
}

/** A block of lines that may continue on the next page. */
function drawProse(
  paper: Paper,
  parent: Element,
  tag: string,
  text: string,
  style: TextStyle,
  inset = 0,
): void {
  const all = paper.text.lines(text, style, Math.min(proseWidth, paper.width - inset));
  const element = paper.element(parent, tag);
  for (let from = 0; from < all.length; ) {
    if (paper.y + style.leading > paper.bottom) paper.newPage();
    const space = Math.max(1, Math.floor((paper.bottom - paper.y) / style.leading));
    const part = all.slice(from, from + space);
    element.add(() => paper.lines(part, style, paper.left + inset, paper.y));
    paper.y += part.length * style.leading;
    from += part.length;
  }
  element.end();
  paper.y += 4;
}

/** Terms and values in a row, as many as fit. */
function drawFacts(paper: Paper, facts: readonly Fact[]): void {
  const { leading } = styles.fact;
  paper.reserve(2 * leading);
  const list = paper.element(paper.section, 'L');
  let x = paper.left;
  for (const { term, value, mark } of facts) {
    const before = paper.text.width(`${term} `, styles.term) + 2;
    const shape = mark ? 10 : 0;
    const [line = '', ...more] = paper.text.lines(value, styles.fact, paper.width - before - shape);
    const width = before + shape + paper.text.width(line, styles.fact);
    if (x > paper.left && x + width > paper.left + paper.width) {
      x = paper.left;
      paper.y += leading;
      paper.reserve(leading);
    }
    const start = x;
    const item = paper.element(list, 'LI');
    paper.element(item, 'Lbl', () => paper.lines([term], styles.term, start, paper.y));
    if (mark) paper.mark(mark, start + before, paper.y + (leading - markSize) / 2, markSize);
    const end = more.length > 0 ? `${line}…` : line;
    paper.element(item, 'LBody', () => paper.lines([end], styles.fact, start + before + shape, paper.y));
    item.end();
    x += width + 12;
  }
  list.end();
  paper.y += leading + 4;
}

function drawLabel(paper: Paper, label: string): void {
  paper.reserve(styles.label.leading + 3 * styles.body.leading);
  paper.y += 4;
  paper.element(paper.section, 'P', () => paper.lines([label], styles.label, paper.left, paper.y));
  paper.y += styles.label.leading + 2;
}

function drawSteps(paper: Paper, { label, steps }: Extract<Block, { kind: 'steps' }>): void {
  drawLabel(paper, label);
  const [first = ''] = steps;
  if (steps.length <= 1) {
    drawProse(paper, paper.section, 'P', first, styles.body);
    return;
  }
  const list = paper.element(paper.section, 'L');
  for (const [index, step] of steps.entries()) {
    paper.reserve(styles.body.leading);
    const item = paper.element(list, 'LI');
    paper.element(item, 'Lbl', () => paper.lines([`${index + 1}.`], styles.body, paper.left, paper.y));
    drawProse(paper, item, 'LBody', step, styles.body, indent);
    paper.y -= 3;
    item.end();
  }
  list.end();
  paper.y += 4;
}

function drawCode(paper: Paper, { label, text }: Extract<Block, { kind: 'code' }>): void {
  drawLabel(paper, label);
  const style = styles.code;
  const all = paper.text.lines(text, style, paper.width - 20);
  const paragraph = paper.element(paper.section, 'P');
  const code = paper.element(paragraph, 'Code');
  for (let from = 0; from < all.length; ) {
    if (paper.y + style.leading + 12 > paper.bottom) paper.newPage();
    const space = Math.max(1, Math.floor((paper.bottom - paper.y - 12) / style.leading));
    const part = all.slice(from, from + space);
    const height = part.length * style.leading + 12;
    paper.box(paper.y, height, light.sunken, light.rule);
    code.add(() => paper.lines(part, style, paper.left + 10, paper.y + 6));
    paper.y += height;
    from += part.length;
  }
  code.end();
  paragraph.end();
  paper.y += 8;
}
