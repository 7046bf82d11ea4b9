import { severities } from '@vedette/server/detection/policies/severity';
import { counted } from '@vedette/server/reports/compliance/wording';
import { escapeControls } from '../../control-characters.ts';
import { grid } from '../../table.ts';
import { shortened } from '../../width.ts';
import { type CheckedPolicy, type CheckResult, type Finding, failedOf, withStatus } from '../check-result.ts';
import type { Format } from './format.ts';
import { totalsOf } from './totals.ts';

/** Resources that are listed of each policy, and lines about what was not assessed; the others are counted. */
const shownResources = 5;
const shownReasons = 20;
const maxWidth = 200;

/** For people: the policies that failed by severity, each with some of its resources, then the totals. */
export const textFormat: Format = async function* (result) {
  for (const severity of severities) {
    const failed = failedOf(result, severity);
    if (failed.length === 0) continue;
    yield `${severity.toUpperCase()}\n${indented(grid([heads, ...failed.map(cellsOf)]))}\n\n`;
    for (const checked of failed) yield* resourcesOf(result, checked);
  }
  yield* unassessed(result);
  yield `${totalsOf(result)}\n`;
};

const heads = ['POLICY', 'FAILED', 'PASSED', 'NOT ASSESSED', 'TITLE'];

function cellsOf({ policy, counts }: CheckedPolicy): string[] {
  const numbers = [counts.NonCompliant, counts.Compliant, counts.CouldNotAssess].map(String);
  return [policy.id, ...numbers, policy.title];
}

async function* resourcesOf(result: CheckResult, checked: CheckedPolicy): AsyncGenerator<string> {
  const { policy, counts } = checked;
  const violations = (await result.findings(checked)).filter(({ status }) => status === 'NonCompliant');
  const shown = violations.slice(0, shownResources);
  const more = counts.NonCompliant - shown.length;
  yield `  ${policy.id} ${policy.title}\n`;
  for (const finding of shown) yield `      ${shortened(escapeControls(lineOf(finding)), maxWidth)}\n`;
  yield more > 0 ? `      … and ${more} more: use --json.\n\n` : '\n';
}

/** Most policies that could not be assessed have a reason in common. */
async function* unassessed(result: CheckResult): AsyncGenerator<string> {
  const policies = withStatus(result, 'not assessed');
  if (policies.length === 0) return;
  const reasons = new Map<string, number>();
  for (const checked of policies) {
    const reason = checked.error ?? (await result.findings(checked))[0]?.reason ?? '';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const lines = [...reasons].sort(([, one], [, other]) => other - one);
  yield 'NOT ASSESSED\n';
  for (const [reason, count] of lines.slice(0, shownReasons))
    yield `  ${counted(count, 'policy', 'policies')}: ${shortened(escapeControls(reason), maxWidth)}\n`;
  const more = lines.length - shownReasons;
  yield more > 0 ? `  … and ${more} more reasons: use --json.\n\n` : '\n';
}

function lineOf({ resource, region, reason }: Finding): string {
  return [resource, region, reason].filter((part) => part !== '').join('  ');
}

function indented(lines: string): string {
  return lines.replaceAll(/^/gm, '  ');
}
