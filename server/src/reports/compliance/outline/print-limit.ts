import type { ComplianceReport, Recommendation } from '../report.ts';
import { countText } from '../wording.ts';

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
  /** Those of them that the CSV report lists. */
  readonly inCsv: number;
  /** Largest number of rows of a table of findings. */
  readonly rows: number;
  /** By the id of the recommendation. */
  readonly totals: ReadonlyMap<string, FindingTotals>;
}

export function printLimit({ sections }: ComplianceReport): PrintLimit {
  const totals = new Map<string, FindingTotals>();
  let findings = 0;
  let inCsv = 0;
  for (const { controls } of sections)
    for (const { recommendations } of controls)
      for (const one of recommendations) {
        if (totals.has(one.id)) continue;
        const total = totalsOf(one);
        totals.set(one.id, total);
        findings += total.violations + total.exceptions + total.gaps;
        inCsv += one.violations.length + one.exceptions.length + one.gaps.length;
      }
  return { findings, inCsv, rows: findings > maxFindings ? perTable : Infinity, totals };
}

export const isLimited = ({ rows }: PrintLimit) => rows !== Infinity;

export const totalsOf = ({ violated, exempt, unread }: Recommendation): FindingTotals => ({
  violations: violated,
  exceptions: exempt,
  gaps: unread,
});

/** What the CSV report lists of so many findings: above its own bound, not all. */
export const csvText = (listed: number, total: number) =>
  `the CSV report lists ${listed === total ? 'all' : countText(listed)}`;
