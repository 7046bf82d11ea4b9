import { expect, test } from 'vitest';
import type { PostureFindings } from '../../../telemetry/posture-findings.ts';
import { assembleReport } from '../assembly.ts';
import { readCsv } from '../csv.sample.ts';
import { csvReport } from '../csv.ts';
import type { ReportPlan } from '../plan.ts';
import type { ComplianceReport } from '../report.ts';
import { outlineOf } from './outline.ts';

const policy = (id: string) => ({
  ...{ id, title: id, service: 'aws:s3', severity: 2, description: '', infoLink: '', remediation: '' },
  state: 'automated',
});
const plan = {
  ...{
    reportType: 'R',
    title: 'Report',
    cloud: 'AWS',
    kind: 'benchmark',
    exceptions: new Map(),
    listedOnly: {},
  },
  sections: [{ id: '1', title: 'Section', controls: [{ id: '1.1', policies: ['a', 'b'], unassessed: [] }] }],
  policies: new Map(['a', 'b'].map((id) => [id, policy(id)])),
} as unknown as ReportPlan;

type Counts = Readonly<Record<string, number>>;

/** A report of two policies, whose results are listed as far as the bound allows. */
function reportOf(counts: Readonly<Record<'a' | 'b', Counts>>, maxListed: number): ComplianceReport {
  const counted = Object.entries(counts).flatMap(([id, own]) =>
    Object.entries(own).map(([status, resources]) => ({ policy: id, status, resources })),
  );
  const listed = counted.flatMap(({ resources, ...result }) =>
    Array.from({ length: resources }, (_, index) => ({
      ...{ ...result, resource: `r${index}`, region: '', reason: '', exception: '', since: 0 },
    })),
  );
  const findings: PostureFindings = {
    ...{ subject: { id: '1', name: '', parent: '', parentName: '' }, evaluatedAt: 0, evaluated: ['a', 'b'] },
    ...{ counts: counted, listed: listed.slice(0, maxListed), earlier: [] },
  };
  return assembleReport(plan, findings) as ComplianceReport;
}

const paragraphs = (report: ComplianceReport) =>
  [...outlineOf(report)].flatMap((block) => (block.kind === 'paragraph' ? [block.text] : []));
const factsOf = (report: ComplianceReport) =>
  [...outlineOf(report)].flatMap((block) =>
    block.kind === 'facts' ? [Object.fromEntries(block.facts.map(({ term, value }) => [term, value]))] : [],
  );
const csvFindings = (report: ComplianceReport) =>
  readCsv([...csvReport(report)].join('')).filter(({ FINDING }) => FINDING !== '').length;

test('a report of more findings than are printed refers to the CSV report', () => {
  const report = reportOf({ a: { NonCompliant: 10_000 }, b: { CouldNotAssess: 100 } }, Infinity);
  expect(csvFindings(report)).toBe(10_100);
  expect(paragraphs(report)).toEqual(
    expect.arrayContaining([
      'This report has 10,100 findings. At most 25 of each kind are listed for a recommendation; the CSV report lists all.',
      'Violations: 9,975 of 10,000 are not listed here; the CSV report lists all.',
      'Could not be read: 75 of 100 are not listed here; the CSV report lists all.',
      expect.stringContaining('Of 10,100 findings, the CSV report lists all.'),
    ]),
  );
});

test('a report of more findings than are listed counts all, and says how many the CSV report lists', () => {
  const counts = {
    a: { NonCompliant: 10_000, CouldNotAssess: 100 },
    b: { CouldNotAssess: 50, Suppressed: 7 },
  };
  const report = reportOf(counts, 10_060);
  expect(csvFindings(report)).toBe(10_060);
  expect(factsOf(report)).toMatchObject([
    { Violations: '10,000', 'Not read': '100' },
    { Exceptions: '7', 'Not read': '50' },
  ]);
  expect(paragraphs(report)).toEqual(
    expect.arrayContaining([
      'This report has 10,157 findings. At most 25 of each kind are listed for a recommendation; the CSV report lists 10,060.',
      'Violations: 9,975 of 10,000 are not listed here; the CSV report lists all.',
      'Could not be read: 75 of 100 are not listed here; the CSV report lists 60.',
      'Exceptions: 7 of 7 are not listed here; the CSV report lists 0.',
      'Could not be read: 50 of 50 are not listed here; the CSV report lists 0.',
      expect.stringContaining('Of 10,157 findings, the CSV report lists 10,060.'),
    ]),
  );
});
