import { expect, test } from 'vitest';
import { readCsv } from './csv.sample.ts';
import { csvColumns, csvReport } from './csv.ts';
import { hostileNames, sampleReport } from './report.sample.ts';
import type { ComplianceReport, Recommendation } from './report.ts';

const rowsOf = (report: ComplianceReport) => readCsv([...csvReport(report)].join(''));

test('a report as CSV has a row for each finding, and one for a recommendation without findings', () => {
  const report = sampleReport();
  const rows = rowsOf(report);
  const distinct = new Map<string, Recommendation>(
    report.sections.flatMap(({ controls }) =>
      controls.flatMap(({ recommendations }) => recommendations.map((one) => [one.id, one] as const)),
    ),
  );
  for (const one of distinct.values()) {
    const own = rows.filter(({ REC_ID }) => REC_ID === one.id);
    expect(own.filter(({ FINDING }) => FINDING === 'Violation')).toHaveLength(one.violations.length);
    expect(own.filter(({ FINDING }) => FINDING === 'Exception')).toHaveLength(one.exceptions.length);
    expect(own.filter(({ FINDING }) => FINDING === 'NotRead')).toHaveLength(one.gaps.length);
    expect(own.length).toBe(Math.max(1, one.violations.length + one.exceptions.length + one.gaps.length));
  }
  expect(rows[0]).toEqual({
    REPORT_TITLE: report.title,
    REPORT_TIME: '2026-11-16T09:30:00.000Z',
    CLOUD: 'AWS',
    PARENT_ID: '',
    ACCOUNT_ID: '123456789012',
    ACCOUNT_NAME: 'amberwood-production',
    SECTIONS: '1 2 3 4 5',
    CONTROLS: '1.1 2.2 3.2 4.2 5.2',
    REC_ID: 'lacework-global-1000',
    TITLE: 'S3 bucket allows public access',
    SERVICE: 'aws:s3',
    SEVERITY: 'Critical',
    STATUS: 'NonCompliant',
    STATUS_REASON: '',
    ASSESSED_RESOURCE_COUNT: '10',
    RESOURCE_COUNT: '11',
    FINDING: 'Violation',
    RESOURCE: 'arn:aws:s3:eu-west-1:123456789012:s3/amberwood-0-0',
    REGION: 'eu-west-1',
    REASON: 'S3 bucket allows public access: seen in its current configuration.',
    SINCE: '2026-11-16T09:30:00.000Z',
    EXCEPTION_ID: '',
    GRANTED_BY: '',
    UNTIL: '',
  });
  expect(rows.find(({ FINDING }) => FINDING === 'Exception')).toMatchObject({
    ...{ EXCEPTION_ID: 'EX-0-0', GRANTED_BY: 'ada@amberwood.example', UNTIL: '2027-01-15T09:30:00.000Z' },
    REASON: 'Accepted until the migration ends',
  });
});

test('no cell is a formula, and every name can be read back', () => {
  const rows = rowsOf(sampleReport({ isHostile: true, findings: 400 }));
  const cells = rows.flatMap((row) => Object.values(row));
  expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
  const resources = new Set(rows.map(({ RESOURCE = '' }) => RESOURCE.replace(/^'/, '')));
  for (const name of hostileNames) expect(resources).toContain(name);
});

test('a report of any size is written in chunks, and an empty one has a header', () => {
  const chunks = [...csvReport(sampleReport({ findings: 20_000 }))];
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(70_000);
  expect(chunks.length).toBeGreaterThan(10);
  expect([...csvReport(sampleReport({ findings: 0, sections: 0 }))]).toEqual([`${csvColumns.join(',')}\r\n`]);
});
