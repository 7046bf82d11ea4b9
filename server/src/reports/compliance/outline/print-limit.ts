import type { ComplianceReport, Recommendation } from '../report.ts';

/** Above this, a printed report would have hundreds of pages that nobody reads. */
const maxFindings = 10_000;
const perTable = 25;

export interface FindingTotals {
  readonly violations: number;
  readonly exceptions: number;
  readonly gaps: number;
}

/** How many findings a printed report lists, and how many there are. */
export interface PrintLimit {
  /** Findings of all recommendations. */
  readonly findings: number;
  /** Largest number of rows of a table of findings. */
  readonly rows: number;
  /** By the id of the recommendation. */
  readonly totals: ReadonlyMap<string, FindingTotals>;
}

export function printLimit({ sections }: ComplianceReport): PrintLimit {
  const totals = new Map<string, FindingTotals>();
  let findings = 0;
  for (const { controls } of sections)
    for (const { recommendations } of controls)
      for (const one of recommendations) {
        if (totals.has(one.id)) continue;
        const total = totalsOf(one);
        totals.set(one.id, total);
        findings += total.violations + total.exceptions + total.gaps;
      }
  return { findings, rows: findings > maxFindings ? perTable : Infinity, totals };
}

export const isLimited = ({ rows }: PrintLimit) => rows !== Infinity;

export const totalsOf = ({ violations, exceptions, gaps }: Recommendation): FindingTotals => ({
  violations: violations.length,
  exceptions: exceptions.length,
  gaps: gaps.length,
});

/** The report without the findings that are not listed, which is small enough to be sent to a thread. */
export function trimmed(report: ComplianceReport, limit: PrintLimit): ComplianceReport {
  if (!isLimited(limit)) return report;
  const trim = (one: Recommendation): Recommendation => ({
    ...one,
    violations: one.violations.slice(0, limit.rows),
    exceptions: one.exceptions.slice(0, limit.rows),
    gaps: one.gaps.slice(0, limit.rows),
  });
  const sections = report.sections.map((section) => ({
    ...section,
    controls: section.controls.map((control) => ({
      ...control,
      recommendations: control.recommendations.map(trim),
    })),
  }));
  return { ...report, sections };
}
