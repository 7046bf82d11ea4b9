import { formatInstant } from '@vedette/server/platform/instant';
import { type CheckedPolicy, type CheckResult, isComplete, withStatus } from '../check-result.ts';
import type { Format } from './format.ts';

/** Raised when a member changes its meaning or goes away. */
const version = 1;

/** The format of its own: everything that is known, one policy a line. */
export const jsonFormat: Format = async function* (result) {
  const { cloud, evaluatedAt, framework, resources, gaps, problems, policies } = result;
  const head = {
    ...{ format: 'vedette-check', version, cloud, evaluatedAt: formatInstant(evaluatedAt) },
    ...(framework && { framework: frameworkMembers(framework) }),
    ...{ summary: summaryOf(result), resources },
    gaps: gaps.map(({ kind, region, cloudAccount, status, reason, permission }) => ({
      ...{ kind, region, cloudAccount, status, reason },
      ...(permission !== undefined && { permission }),
    })),
    problems: problems.map(({ status, reason }) => ({ status, reason })),
  };
  yield `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "policies": [`;
  for (const [index, checked] of policies.entries())
    yield `${index > 0 ? ',' : ''}\n    ${JSON.stringify(await policyMembers(result, checked))}`;
  yield '\n  ]\n}\n';
};

function frameworkMembers({ reportType, title, uncovered }: NonNullable<CheckResult['framework']>) {
  return { reportType, title, uncoveredControls: uncovered };
}

function summaryOf(result: CheckResult) {
  return {
    failed: withStatus(result, 'failed').length,
    notAssessed: withStatus(result, 'not assessed').length,
    passed: withStatus(result, 'passed').length,
    isComplete: isComplete(result),
  };
}

async function policyMembers(result: CheckResult, checked: CheckedPolicy) {
  const { policy, service, status, counts, error } = checked;
  const findings = await result.findings(checked);
  return {
    ...{ id: policy.id, title: policy.title, severity: policy.severity, service, status },
    counts: {
      compliant: counts.Compliant,
      nonCompliant: counts.NonCompliant,
      notAssessed: counts.CouldNotAssess,
    },
    ...(error !== undefined && { error }),
    ...(result.framework && { controls: result.framework.controlsOf(policy.id) }),
    ...(findings.length > 0 && { findings }),
  };
}
