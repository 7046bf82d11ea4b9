import { countsOf, scoreOf } from '../counts.ts';
import type { ComplianceReport } from '../report.ts';
import { countText, scoreText } from '../wording.ts';
import type { Block, Cell, Column } from './block.ts';

const columns: readonly Column[] = [
  { title: 'Section', share: 0.36, kind: 'text' },
  { title: 'Compliant', share: 0.12, kind: 'number' },
  { title: 'Non-compliant', share: 0.13, kind: 'number' },
  { title: 'Suppressed', share: 0.12, kind: 'number' },
  { title: 'Manual', share: 0.09, kind: 'number' },
  { title: 'Not assessed', share: 0.1, kind: 'number' },
  { title: 'Score', share: 0.08, kind: 'number' },
];

/** The id of the heading of a section: section ids of frameworks may hold any character. */
export const sectionId = (index: number) => `section-${index + 1}`;

export function* summaryBySection({ sections }: ComplianceReport): Generator<Block> {
  yield { kind: 'heading', level: 2, text: 'Summary by section', id: 'summary' };
  if (sections.length === 0) {
    yield { kind: 'paragraph', text: 'The report has no sections.', isNote: false };
    return;
  }
  yield {
    kind: 'paragraph',
    isNote: true,
    text: 'A recommendation that belongs to several sections counts in each of them, and once in the totals above.',
  };
  const rows = sections.map((section, index): Cell[] => {
    const counts = countsOf([section]);
    const { compliant, nonCompliant, suppressed, manual, notAssessed } = counts;
    const numbers = [compliant, nonCompliant, suppressed, manual, notAssessed];
    return [
      { text: `${section.id} ${section.title}`, target: sectionId(index) },
      ...numbers.map((count) => ({ text: countText(count) })),
      { text: scoreText(scoreOf(counts)) },
    ];
  });
  yield { kind: 'table', caption: 'Recommendations by section and status', columns, rows };
}
