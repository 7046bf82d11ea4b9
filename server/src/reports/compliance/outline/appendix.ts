import { reportStatuses } from '../report.ts';
import { counted, scoreMeaning, statusMeanings, statusNames } from '../wording.ts';
import type { Block, Column } from './block.ts';
import { csvText, isLimited, type PrintLimit } from './print-limit.ts';

const columns: readonly Column[] = [
  { title: 'Status', share: 0.22, kind: 'text' },
  { title: 'Meaning', share: 0.78, kind: 'text' },
];

export function* appendix(limit: PrintLimit): Generator<Block> {
  const paragraph = (text: string): Block => ({ kind: 'paragraph', text, isNote: false });
  yield { kind: 'heading', level: 2, text: 'How to read this report', id: 'reading' };
  yield paragraph(
    'The report shows the configuration of one cloud account at the time of its evaluation. A framework has sections with ' +
      'controls. Each control is assessed by recommendations, each of which is one policy that reads the configuration ' +
      'of resources. The numbers of sections and controls are those of the framework; titles and descriptions are not.',
  );
  yield {
    ...{ kind: 'table', caption: 'Statuses', columns },
    rows: reportStatuses.map((value) => [
      { text: statusNames[value], mark: { of: 'status', value } },
      { text: statusMeanings[value] },
    ]),
  };
  yield paragraph(`Score: ${scoreMeaning}`);
  yield paragraph(
    'Counts: a recommendation that several controls need counts once. Assessed resources are the compliant and the ' +
      'violating ones; exempt and unread resources are not among them.',
  );
  yield paragraph(
    'Severity rates the possible damage of a violation, from critical to info. It is the severity of the policy in the ' +
      'account at the time of the evaluation.',
  );
  yield paragraph(
    'Exceptions were granted by users of the service. Each is listed with its reason, with who granted it, and with the ' +
      'time at which it ends.',
  );
  yield paragraph(
    'Recommendations without a check in this release are listed so that the framework is complete. They are not assessed, ' +
      'and never count as compliant.',
  );
  if (isLimited(limit))
    yield paragraph(
      `Lists of findings are limited to ${limit.rows} each, because the report has more than can be printed. Of ` +
        `${counted(limit.findings, 'finding')}, ${csvText(limit.inCsv, limit.findings)}.`,
    );
  yield paragraph('All times are in UTC.');
}
