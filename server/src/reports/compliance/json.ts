import { formatInstant } from '../../platform/instant.ts';
import type { FrameworkContent } from '../frameworks/framework.ts';
import type { ComplianceReport, Recommendation, ReportCounts } from './report.ts';
import { columnName, subjectMembers } from './subject-members.ts';

/** A report as clients decode it: an element of `data`. Names are those of the interface. */
export interface JsonReport {
  /** The title, too: clients print it. The report type of the request is not part of a report. */
  readonly reportType: string;
  readonly reportTitle: string;
  readonly reportTime: string;
  readonly recommendations: readonly JsonRecommendation[];
  /** One element. */
  readonly summary: readonly Readonly<Record<string, number>>[];
  /** The members of the cloud: `accountId`, `tenantId`, `projectId` and so on. */
  readonly [subject: string]: unknown;
}

export interface JsonRecommendation {
  readonly REC_ID: string;
  readonly TITLE: string;
  readonly CATEGORY: string;
  readonly SERVICE: string;
  readonly STATUS: string;
  readonly SEVERITY: number;
  readonly START_TIME: number;
  readonly INFO_LINK: string;
  readonly ASSESSED_RESOURCE_COUNT: number;
  readonly RESOURCE_COUNT: number;
  readonly VIOLATIONS: readonly {
    readonly resource: string;
    readonly region?: string;
    readonly reasons: readonly string[];
  }[];
  readonly SUPPRESSIONS: readonly string[];
  /** The members of the cloud: `ACCOUNT_ID`, `TENANT_ID`, `PROJECT_ID` and so on. */
  readonly [subject: string]: unknown;
}

/**
 * A recommendation appears once in each of its categories: the sections of a benchmark, the controls of a standard.
 */
export function jsonReport(
  report: ComplianceReport,
  { kind }: Pick<FrameworkContent, 'kind'> = { kind: 'benchmark' },
): JsonReport {
  const { title, subject, evaluatedAt, sections, counts } = report;
  const members = subjectMembers(subject);
  const upper = Object.fromEntries(members.map(([name, value]) => [columnName(name), value]));
  const seen = new Set<string>();
  const recommendations: JsonRecommendation[] = [];
  for (const section of sections)
    for (const control of section.controls)
      for (const one of control.recommendations) {
        const name = `${section.id} ${section.title}`;
        const category = kind === 'standard' ? `${control.id} ${section.title}` : name;
        const key = JSON.stringify([category, one.id]);
        if (seen.has(key)) continue;
        seen.add(key);
        recommendations.push({ ...recommendationMembers(one, category, evaluatedAt), ...upper });
      }
  return {
    ...{ reportType: title, reportTitle: title },
    reportTime: formatInstant(evaluatedAt),
    ...Object.fromEntries(members),
    ...{ summary: [summaryMembers(counts)], recommendations },
  };
}

function recommendationMembers(
  one: Recommendation,
  CATEGORY: string,
  START_TIME: number,
): JsonRecommendation {
  return {
    ...{ REC_ID: one.id, TITLE: one.title, CATEGORY, SERVICE: one.service },
    ...{ STATUS: one.status, SEVERITY: one.severity, START_TIME, INFO_LINK: one.infoLink },
    ...{ ASSESSED_RESOURCE_COUNT: one.assessed, RESOURCE_COUNT: one.resources },
    VIOLATIONS: one.violations.map(({ resource, region, reason }) => ({
      resource,
      ...(region && { region }),
      reasons: [reason],
    })),
    SUPPRESSIONS: one.exceptions.map(({ resource }) => resource),
  };
}

function summaryMembers(counts: ReportCounts): Readonly<Record<string, number>> {
  const severities = counts.bySeverity.map((count, index) => [
    `NUM_SEVERITY_${index + 1}_NON_COMPLIANCE`,
    count,
  ]);
  return {
    NUM_RECOMMENDATIONS: counts.recommendations,
    NUM_COMPLIANT: counts.compliant,
    NUM_NOT_COMPLIANT: counts.nonCompliant,
    NUM_SUPPRESSED: counts.suppressed,
    ...Object.fromEntries(severities),
    ASSESSED_RESOURCE_COUNT: counts.assessedResources,
    VIOLATED_RESOURCE_COUNT: counts.violatedResources,
    SUPPRESSED_RESOURCE_COUNT: counts.suppressedResources,
  };
}
