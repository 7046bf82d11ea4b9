import type { Block } from '../outline/block.ts';
import { chartOf } from '../visual/chart.ts';
import { light } from '../visual/palette.ts';
import type { Paper } from './paper.ts';
import { styles } from './text.ts';

const height = 130;

/** Draws the chart as one figure with its alternative text. */
export function drawChart(paper: Paper, { points, alternative }: Extract<Block, { kind: 'chart' }>): void {
  paper.reserve(height + 8);
  const { document, left, y: top } = paper;
  const chart = chartOf(points, paper.width, height);
  const style = styles.running;
  const textAt = (text: string, x: number, baseline: number, isEnd: boolean) =>
    paper.lines([text], style, left + x, top + baseline - style.leading + 2, isEnd ? left + x : undefined);
  const draw = () => {
    document.save().lineWidth(0.5).strokeColor(light.hairline);
    for (const { y } of chart.grid)
      document.moveTo(left + chart.left, top + y).lineTo(left + chart.right, top + y);
    document.stroke().restore();
    for (const { y, label } of chart.grid) textAt(label, chart.left - 6, y + 3, true);
    document.save().lineWidth(1.25).strokeColor(light.link).fillColor(light.link);
    for (const [index, [x, y]] of chart.line.entries())
      index === 0 ? document.moveTo(left + x, top + y) : document.lineTo(left + x, top + y);
    document.stroke();
    for (const [x, y] of chart.line) document.circle(left + x, top + y, 1.8).fill();
    document.restore();
    for (const { at, text, isEnd } of chart.labels) textAt(text, at[0], at[1], isEnd);
  };
  const bbox = [left, top, left + paper.width, top + height] as const;
  paper.element(paper.section, 'Figure', draw, { alt: alternative, bbox });
  paper.y += height + 8;
}
