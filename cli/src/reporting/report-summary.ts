/** The members of a report as JSON that the summary needs. */
export interface ReportSummary {
  readonly reportTitle: string;
  readonly reportTime: string;
  readonly summary: readonly [Readonly<Record<string, number>>];
}

const severities = ['critical', 'high', 'medium', 'low', 'info'];

/** Compliant recommendations as a share of those that were assessed, as in the report; undefined if none was. */
export function scoreOf({ summary: [counts] }: ReportSummary): number | undefined {
  const { NUM_COMPLIANT = 0, NUM_NOT_COMPLIANT = 0 } = counts;
  const assessed = NUM_COMPLIANT + NUM_NOT_COMPLIANT;
  return assessed === 0 ? undefined : Math.floor((100 * NUM_COMPLIANT) / assessed);
}

export function summaryText(report: ReportSummary): string {
  const [counts] = report.summary;
  const { NUM_RECOMMENDATIONS = 0, NUM_COMPLIANT = 0, NUM_NOT_COMPLIANT = 0, NUM_SUPPRESSED = 0 } = counts;
  const score = scoreOf(report);
  const bySeverity = severities.flatMap((name, index) => {
    const count = counts[`NUM_SEVERITY_${index + 1}_NON_COMPLIANCE`] ?? 0;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  const others = NUM_RECOMMENDATIONS - NUM_COMPLIANT - NUM_NOT_COMPLIANT - NUM_SUPPRESSED;
  return [
    `${report.reportTitle}, evaluated ${report.reportTime}`,
    `Score ${score === undefined ? 'none' : `${score} %`}: ${NUM_COMPLIANT} compliant, ${NUM_NOT_COMPLIANT} non-compliant${
      bySeverity.length > 0 ? ` (${bySeverity.join(', ')})` : ''
    }, ${NUM_SUPPRESSED} suppressed, ${others} manual or not assessed.`,
  ].join('\n');
}
