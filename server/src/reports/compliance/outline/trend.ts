import { scoreOf } from '../counts.ts';
import type { ComplianceReport } from '../report.ts';
import { countText, scoreText, timeText } from '../wording.ts';
import type { Block, Cell, Column, ScorePoint } from './block.ts';

/** A chart of more points than this is not readable on paper. */
const maxPoints = 60;
const maxRows = 12;

const columns: readonly Column[] = [
  { title: 'Evaluated', share: 0.4, kind: 'text' },
  { title: 'Compliant', share: 0.2, kind: 'number' },
  { title: 'Non-compliant', share: 0.2, kind: 'number' },
  { title: 'Score', share: 0.2, kind: 'number' },
];

export function* trendBlocks({ trend, counts, evaluatedAt }: ComplianceReport): Generator<Block> {
  yield { kind: 'heading', level: 2, text: 'Trend', id: 'trend' };
  if (trend.length === 0) {
    yield { kind: 'paragraph', text: 'There is no earlier evaluation to compare with.', isNote: false };
    return;
  }
  const { compliant, nonCompliant } = counts;
  const all = [...trend, { at: evaluatedAt, compliant, nonCompliant }].slice(-maxPoints);
  const points = all.flatMap((point): ScorePoint[] => {
    const score = scoreOf(point);
    return score === undefined ? [] : [{ at: point.at, score }];
  });
  if (points.length > 1) yield { kind: 'chart', points, alternative: alternativeOf(points) };
  const rows = all
    .slice(-maxRows)
    .map((point): Cell[] => [
      { text: timeText(point.at) },
      { text: countText(point.compliant) },
      { text: countText(point.nonCompliant) },
      { text: scoreText(scoreOf(point)) },
    ]);
  const omitted = trend.length + 1 - rows.length;
  yield {
    ...{ kind: 'table', columns, rows },
    caption: omitted > 0 ? `The last ${rows.length} evaluations` : 'Evaluations',
  };
}

function alternativeOf(points: readonly ScorePoint[]): string {
  const [first, last] = [points[0] as ScorePoint, points.at(-1) as ScorePoint];
  const scores = points.map(({ score }) => score);
  return (
    `Line chart of the score in ${points.length} evaluations: ${first.score} % on ${timeText(first.at)}, ` +
    `${last.score} % on ${timeText(last.at)}, lowest ${Math.min(...scores)} %, highest ${Math.max(...scores)} %.`
  );
}
