import type { Recommendation, ReportCounts, ReportSection } from './report.ts';

/** The summary of a report. A recommendation that appears in several controls counts once. */
export function countsOf(sections: readonly ReportSection[]): ReportCounts {
  const distinct = new Map<string, Recommendation>();
  for (const { controls } of sections)
    for (const { recommendations } of controls) for (const one of recommendations) distinct.set(one.id, one);
  const all = [...distinct.values()];
  const withStatus = (status: Recommendation['status']) => all.filter((one) => one.status === status);
  const nonCompliant = withStatus('NonCompliant');
  const notAssessed = withStatus('CouldNotAssess');
  const ofSeverity = (severity: number) => nonCompliant.filter((one) => one.severity === severity).length;
  return {
    recommendations: all.length,
    compliant: withStatus('Compliant').length,
    nonCompliant: nonCompliant.length,
    suppressed: withStatus('Suppressed').length,
    manual: withStatus('RequiresManualAssessment').length,
    notAssessed: notAssessed.length,
    withoutCheck: notAssessed.filter(({ remediation }) => remediation === undefined).length,
    bySeverity: [ofSeverity(1), ofSeverity(2), ofSeverity(3), ofSeverity(4), ofSeverity(5)],
    assessedResources: sum(all, ({ assessed }) => assessed),
    violatedResources: sum(all, ({ violated }) => violated),
    suppressedResources: sum(all, ({ exempt }) => exempt),
  };
}

/** The share of compliant among assessed recommendations, as a percentage; undefined if none was assessed. */
export function scoreOf({
  compliant,
  nonCompliant,
}: Pick<ReportCounts, 'compliant' | 'nonCompliant'>): number | undefined {
  const assessed = compliant + nonCompliant;
  return assessed === 0 ? undefined : Math.floor((100 * compliant) / assessed);
}

function sum(all: readonly Recommendation[], count: (one: Recommendation) => number): number {
  return all.reduce((total, one) => total + count(one), 0);
}
