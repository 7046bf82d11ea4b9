import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readCsv } from './csv.sample.ts';
import { csvReport } from './csv.ts';
import { ReportDocuments } from './documents.ts';
import { htmlReport } from './html.ts';
import { jsonReport } from './json.ts';
import { ReadPdf } from './pdf.sample.ts';
import { sampleReport } from './report.sample.ts';
import type { ComplianceReport, ReportCounts } from './report.ts';

const directory = mkdtempSync(join(tmpdir(), 'vedette-documents-'));
const pdfs = new ReportDocuments();
afterAll(async () => {
  await pdfs.close();
  rmSync(directory, { recursive: true });
});
let files = 0;

const labels: Readonly<Record<string, (counts: ReportCounts) => number>> = {
  Compliant: ({ compliant }) => compliant,
  'Non-compliant': ({ nonCompliant }) => nonCompliant,
  Suppressed: ({ suppressed }) => suppressed,
  Manual: ({ manual }) => manual,
  'Not assessed': ({ notAssessed }) => notAssessed,
  'Not assessed: no check in this release': ({ withoutCheck }) => withoutCheck,
  'All recommendations': ({ recommendations }) => recommendations,
  ...Object.fromEntries(
    ['Critical', 'High', 'Medium', 'Low', 'Info'].map((name, index) => [
      name,
      ({ bySeverity }: ReportCounts) => bySeverity[index] as number,
    ]),
  ),
  Assessed: ({ assessedResources }) => assessedResources,
  'Violating a recommendation': ({ violatedResources }) => violatedResources,
  'Covered by an exception': ({ suppressedResources }) => suppressedResources,
};

const expected = ({ counts }: ComplianceReport) =>
  Object.fromEntries(Object.entries(labels).map(([label, count]) => [label, count(counts)]));

const numberOf = (text: string | undefined) => Number(text?.replaceAll(',', ''));

function htmlCounts(report: ComplianceReport) {
  const html = [...htmlReport(report)].join('');
  return Object.fromEntries(
    Object.keys(labels).map((label) => {
      const row = new RegExp(
        `<th scope="row">(?:<svg.*?</svg>)?${label}</th><td class="number">([\\d,]+)</td>`,
      );
      return [label, numberOf(row.exec(html)?.[1])];
    }),
  );
}

async function pdfCounts(report: ComplianceReport) {
  const file = join(directory, `${files++}.pdf`);
  await pdfs.write('account', { report }, { format: 'pdf', file });
  const [cover = ''] = await (await ReadPdf.open(readFileSync(file))).text();
  return Object.fromEntries(
    Object.keys(labels).map((label) => [
      label,
      numberOf(new RegExp(`(?:^|\\n)${label}\\s+([\\d,]+)(?:\\n|$)`).exec(cover)?.[1]),
    ]),
  );
}

/** Counts from the recommendations that a format lists, as a client would compute them. */
function listedCounts(rows: readonly { id: string; status: string; severity: string; assessed: number }[]) {
  const distinct = [...new Map(rows.map((row) => [row.id, row])).values()];
  const withStatus = (status: string) => distinct.filter((row) => row.status === status);
  return {
    'All recommendations': distinct.length,
    Compliant: withStatus('Compliant').length,
    'Non-compliant': withStatus('NonCompliant').length,
    Suppressed: withStatus('Suppressed').length,
    Manual: withStatus('RequiresManualAssessment').length,
    'Not assessed': withStatus('CouldNotAssess').length,
    Assessed: distinct.reduce((sum, { assessed }) => sum + assessed, 0),
    ...Object.fromEntries(
      ['Critical', 'High', 'Medium', 'Low', 'Info'].map((name, index) => [
        name,
        withStatus('NonCompliant').filter(({ severity }) => [name, `${index + 1}`].includes(severity)).length,
      ]),
    ),
  };
}

function csvCounts(report: ComplianceReport) {
  const rows = readCsv([...csvReport(report)].join(''));
  const findings = (kind: string) => rows.filter(({ FINDING }) => FINDING === kind).length;
  return {
    ...listedCounts(
      rows.map(({ REC_ID = '', STATUS = '', SEVERITY = '', ASSESSED_RESOURCE_COUNT }) => ({
        ...{ id: REC_ID, status: STATUS, severity: SEVERITY },
        assessed: Number(ASSESSED_RESOURCE_COUNT),
      })),
    ),
    'Violating a recommendation': findings('Violation'),
    'Covered by an exception': findings('Exception'),
  };
}

function jsonCounts(report: ComplianceReport) {
  const { recommendations, summary } = jsonReport(report);
  const counted = listedCounts(
    recommendations.map(({ REC_ID, STATUS, SEVERITY, ASSESSED_RESOURCE_COUNT }) => ({
      ...{ id: REC_ID, status: STATUS, severity: `${SEVERITY}`, assessed: ASSESSED_RESOURCE_COUNT },
    })),
  );
  const { NUM_RECOMMENDATIONS, NUM_COMPLIANT, NUM_NOT_COMPLIANT, NUM_SUPPRESSED, ...rest } = summary[0] ?? {};
  expect({ ...counted, Compliant: NUM_COMPLIANT, 'Non-compliant': NUM_NOT_COMPLIANT }).toEqual(counted);
  expect({ ...counted, Suppressed: NUM_SUPPRESSED, 'All recommendations': NUM_RECOMMENDATIONS }).toEqual(
    counted,
  );
  return {
    ...counted,
    'Violating a recommendation': rest.VIOLATED_RESOURCE_COUNT,
    'Covered by an exception': rest.SUPPRESSED_RESOURCE_COUNT,
  };
}

describe.each([
  ['of forty findings', sampleReport()],
  ['of a subscription', sampleReport({ cloud: 'Azure', findings: 1_234 })],
  ['with hostile names', sampleReport({ isHostile: true, findings: 200 })],
  [
    'of more findings than are printed',
    sampleReport({ findings: 12_345, sections: 8, controlsPerSection: 9 }),
  ],
  ['without sections', sampleReport({ findings: 0, sections: 0, trend: 0 })],
] as const)('the counts of a report %s', (_, report) => {
  test('are the same in HTML and PDF', async () => {
    expect(htmlCounts(report)).toEqual(expected(report));
    expect(await pdfCounts(report)).toEqual(expected(report));
  });

  test('are those of what JSON and CSV list', () => {
    expect(expected(report)).toMatchObject(jsonCounts(report));
    expect(expected(report)).toMatchObject(csvCounts(report));
  });
});
