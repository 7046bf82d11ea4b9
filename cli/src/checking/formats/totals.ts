import { severities } from '@vedette/server/detection/policies/severity';
import { counted } from '@vedette/server/reports/compliance/wording';
import { escapeControls } from '../../control-characters.ts';
import { type CheckResult, failedOf, withStatus } from '../check-result.ts';

const shownGaps = 10;

/** What could not be read, and the counts as the last line. */
export function totalsOf(result: CheckResult): string {
  const { policies, resources, framework, gaps, problems } = result;
  const failed = withStatus(result, 'failed').length;
  const bySeverity = severities.flatMap((severity) => {
    const count = failedOf(result, severity).length;
    return count > 0 ? [`${count} ${severity}`] : [];
  });
  const unread = [
    ...problems.map(({ reason }) => reason),
    ...gaps.map(({ kind, region, status, reason }) => `${kind} in ${region} (${status}): ${reason}`),
  ];
  const permissions = new Set(gaps.flatMap(({ permission }) => permission?.split(', ') ?? []));
  const counts = [
    `${failed} failed${bySeverity.length > 0 ? ` (${bySeverity.join(', ')})` : ''}`,
    `${withStatus(result, 'passed').length} passed`,
    `${withStatus(result, 'not assessed').length} not assessed`,
  ];
  return [
    ...(unread.length > 0 ? ['Could not be read:'] : []),
    ...unread.slice(0, shownGaps).map((one) => `  ${escapeControls(one)}`),
    ...(unread.length > shownGaps ? [`  … and ${unread.length - shownGaps} more: use --json.`] : []),
    ...(permissions.size > 0 ? [`These permissions would help: ${[...permissions].sort().join(', ')}.`] : []),
    ...(framework && framework.uncovered.length > 0
      ? [`Controls of ${framework.reportType} that are not checked here: ${framework.uncovered.join(', ')}.`]
      : []),
    `${counted(policies.length, 'policy', 'policies')} over ${counted(resources, 'resource')}: ${counts.join(', ')}.`,
  ].join('\n');
}
