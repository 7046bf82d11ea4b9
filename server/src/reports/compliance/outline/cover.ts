import { scoreOf } from '../counts.ts';
import type { ComplianceReport, Recommendation, ReportCounts, ReportStatus } from '../report.ts';
import {
  countText,
  scoreMeaning,
  scoreText,
  severityName,
  shortened,
  statusNames,
  subjectFacts,
  timeText,
} from '../wording.ts';
import type { Block, Cell, Column, Mark } from './block.ts';
import { csvText, isLimited, type PrintLimit } from './print-limit.ts';

export function* cover(report: ComplianceReport, limit: PrintLimit): Generator<Block> {
  const { title, subject, evaluatedAt, counts } = report;
  const facts = [...subjectFacts(subject), { term: 'Evaluated', value: timeText(evaluatedAt) }];
  yield {
    kind: 'title',
    text: shortened(title, 200),
    facts: facts.map(({ term, value }) => ({ term, value: shortened(value, 300) })),
  };
  yield { kind: 'score', value: scoreText(scoreOf(counts)), meaning: scoreMeaning };
  yield table('Recommendations by status', 'Status', 'Recommendations', statusRows(counts));
  yield table(
    'Non-compliant recommendations by severity',
    'Severity',
    'Recommendations',
    counts.bySeverity.map((count, index) => {
      const value = (index + 1) as Recommendation['severity'];
      return row(severityName(value), count, { of: 'severity', value });
    }),
  );
  yield table('Resources', 'State', 'Resources', [
    row('Assessed', counts.assessedResources),
    row('Violating a recommendation', counts.violatedResources),
    row('Covered by an exception', counts.suppressedResources),
  ]);
  if (isLimited(limit))
    yield {
      kind: 'paragraph',
      isNote: true,
      text:
        `This report has ${countText(limit.findings)} findings. At most ${limit.rows} of each kind are listed for a ` +
        `recommendation; ${csvText(limit.inCsv, limit.findings)}.`,
    };
}

function statusRows(counts: ReportCounts): Cell[][] {
  const of = (value: ReportStatus, count: number) => row(statusNames[value], count, { of: 'status', value });
  return [
    of('Compliant', counts.compliant),
    of('NonCompliant', counts.nonCompliant),
    of('Suppressed', counts.suppressed),
    of('RequiresManualAssessment', counts.manual),
    of('CouldNotAssess', counts.notAssessed),
    row('Not assessed: no check in this release', counts.withoutCheck),
    row('All recommendations', counts.recommendations),
  ];
}

function row(text: string, count: number, mark?: Mark): Cell[] {
  return [{ text, ...(mark && { mark }) }, { text: countText(count) }];
}

function table(caption: string, first: string, second: string, rows: Cell[][]): Block {
  const columns: Column[] = [
    { title: first, share: 0.75, kind: 'text' },
    { title: second, share: 0.25, kind: 'number' },
  ];
  return { kind: 'table', caption, columns, rows, isNarrow: true };
}
