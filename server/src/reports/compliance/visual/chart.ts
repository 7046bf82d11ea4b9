import type { ScorePoint } from '../outline/block.ts';
import { dayText } from '../wording.ts';
import type { Point } from './shape.ts';

export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly line: readonly Point[];
  readonly grid: readonly { readonly y: number; readonly label: string }[];
  /** Left end of the lines: the labels are before it. */
  readonly left: number;
  readonly right: number;
  readonly labels: readonly { readonly at: Point; readonly text: string; readonly isEnd: boolean }[];
}

const margin = { left: 42, right: 44, top: 10, bottom: 22 };

/** A line of scores over time, from 0 to 100 %. */
export function chartOf(points: readonly ScorePoint[], width: number, height: number): Chart {
  const [first, last] = [points[0] as ScorePoint, points.at(-1) as ScorePoint];
  const [left, right] = [margin.left, width - margin.right];
  const bottom = height - margin.bottom;
  const span = Math.max(1, last.at - first.at);
  const x = (at: number) => left + ((at - first.at) / span) * (right - left);
  const y = (score: number) => bottom - (score / 100) * (bottom - margin.top);
  return {
    ...{ width, height, left, right },
    line: points.map(({ at, score }) => [round(x(at)), round(y(score))]),
    grid: [0, 25, 50, 75, 100].map((score) => ({ y: round(y(score)), label: `${score} %` })),
    labels: [
      { at: [left, height - 6], text: dayText(first.at), isEnd: false },
      { at: [right, height - 6], text: dayText(last.at), isEnd: true },
      { at: [right + 8, round(y(last.score)) + 3.5], text: `${last.score} %`, isEnd: false },
    ],
  };
}

const round = (value: number) => Math.round(value * 100) / 100;
