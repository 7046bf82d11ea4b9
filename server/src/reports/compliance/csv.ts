import { formatInstant } from '../../platform/instant.ts';
import type { ComplianceReport, Recommendation } from './report.ts';
import { severityName } from './wording.ts';

/**
 * The columns. A recommendation has one row for each violation, exception and gap, or a single one without a finding.
 * A recommendation that several controls need has its rows once, with all its controls.
 */
export const csvColumns = [
  'REPORT_TITLE',
  /** Time of the evaluation. */
  'REPORT_TIME',
  'CLOUD',
  /** Tenant or organization; empty for AWS and clusters. */
  'PARENT_ID',
  /** AWS account, subscription, project or cluster. */
  'ACCOUNT_ID',
  'ACCOUNT_NAME',
  /** Ids of sections and of controls, separated by spaces. */
  'SECTIONS',
  'CONTROLS',
  'REC_ID',
  'TITLE',
  'SERVICE',
  'SEVERITY',
  'STATUS',
  /** Why it was not assessed, or suppressed as a whole. */
  'STATUS_REASON',
  'ASSESSED_RESOURCE_COUNT',
  'RESOURCE_COUNT',
  /** `Violation`, `Exception`, `NotRead`, or empty if the recommendation has no findings. */
  'FINDING',
  'RESOURCE',
  'REGION',
  /** Of a violation or a gap; of an exception the reason that was given for it. */
  'REASON',
  /** Since when a violation is open. */
  'SINCE',
  'EXCEPTION_ID',
  'GRANTED_BY',
  /** When an exception ends; empty if it never does. */
  'UNTIL',
] as const;

type Row = Partial<Record<(typeof csvColumns)[number], string | number>>;

/** Large enough that a stream of a hundred thousand rows is not slowed down by its chunks. */
const chunkLength = 64 * 1_024;

/** The report as CSV (RFC 4180), in chunks of many rows. */
export function* csvReport(report: ComplianceReport): Generator<string> {
  let chunk = `${csvColumns.join(',')}\r\n`;
  for (const row of rowsOf(report)) {
    chunk += `${csvColumns.map((column) => cell(row[column] ?? '')).join(',')}\r\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

function* rowsOf({ title, subject, evaluatedAt, sections }: ComplianceReport): Generator<Row> {
  const report: Row = {
    ...{ REPORT_TITLE: title, REPORT_TIME: formatInstant(evaluatedAt) },
    ...{ CLOUD: subject.cloud, PARENT_ID: subject.parent?.id ?? '' },
    ...{ ACCOUNT_ID: subject.id, ACCOUNT_NAME: subject.name },
  };
  const places = new Map<string, { one: Recommendation; sections: Set<string>; controls: Set<string> }>();
  for (const section of sections)
    for (const control of section.controls)
      for (const one of control.recommendations) {
        const place = places.get(one.id) ?? { one, sections: new Set(), controls: new Set() };
        place.sections.add(section.id);
        place.controls.add(control.id);
        places.set(one.id, place);
      }
  for (const { one, sections, controls } of places.values()) {
    const shared: Row = {
      ...report,
      ...{ SECTIONS: [...sections].join(' '), CONTROLS: [...controls].join(' ') },
      ...{ REC_ID: one.id, TITLE: one.title, SERVICE: one.service, SEVERITY: severityName(one.severity) },
      ...{ STATUS: one.status, STATUS_REASON: one.reason },
      ...{ ASSESSED_RESOURCE_COUNT: one.assessed, RESOURCE_COUNT: one.resources },
    };
    let isEmpty = true;
    for (const finding of findingsOf(one)) {
      isEmpty = false;
      yield { ...shared, ...finding };
    }
    if (isEmpty) yield shared;
  }
}

function* findingsOf({ violations, exceptions, gaps }: Recommendation): Generator<Row> {
  for (const { resource, region, reason, since } of violations)
    yield {
      ...{ FINDING: 'Violation', RESOURCE: resource, REGION: region, REASON: reason },
      SINCE: formatInstant(since),
    };
  for (const { resource, region, exceptionId, description, grantedBy, until } of exceptions)
    yield {
      ...{ FINDING: 'Exception', RESOURCE: resource, REGION: region, REASON: description },
      ...{ EXCEPTION_ID: exceptionId, GRANTED_BY: grantedBy },
      UNTIL: until === undefined ? '' : formatInstant(until),
    };
  for (const { resource, region, reason } of gaps)
    yield { FINDING: 'NotRead', RESOURCE: resource, REGION: region, REASON: reason };
}

/** Spreadsheets run cells that begin so as formulas, also with the full-width forms of the signs. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(value: string | number): string {
  if (typeof value === 'number') return `${value}`;
  const harmless = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
