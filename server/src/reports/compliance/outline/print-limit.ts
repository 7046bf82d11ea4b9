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

export const totalsOf = ({ violated, exempt, gaps }: Recommendation): FindingTotals => ({
  violations: violated,
  exceptions: exempt,
  gaps: gaps.length,
});
