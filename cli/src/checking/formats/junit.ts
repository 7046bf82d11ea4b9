import { grouped } from '@vedette/server/platform/grouped';
import type { CheckedPolicy, CheckResult, Finding } from '../check-result.ts';
import type { Format } from './format.ts';
import { xml } from './xml.ts';

/**
 * JUnit XML: a suite for each service, with a test case for each policy, so that a case keeps its name when resources come
 * and go. What could not be assessed is skipped, and what could not be read is a suite of its own.
 */
export const junitFormat: Format = async function* (result) {
  const { cloud, policies, began, evaluatedAt } = result;
  const unread = unreadOf(result);
  const seconds = ((evaluatedAt - began) / 1_000).toFixed(3);
  const counts = countsOf(policies, unread.length);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="vedette check ${cloud}" ${counts} time="${seconds}">\n`;
  for (const [service, own] of grouped(policies, (one) => one.service || cloud)) {
    yield `  <testsuite name="${xml(`${cloud}.${service}`)}" ${countsOf(own, 0)} timestamp="${timestampOf(evaluatedAt)}">\n`;
    for (const checked of own) yield* caseOf(result, checked);
    yield '  </testsuite>\n';
  }
  if (unread.length > 0) {
    yield `  <testsuite name="${cloud}.collection" ${countsOf([], unread.length)} timestamp="${timestampOf(evaluatedAt)}">\n`;
    for (const { name, reason } of unread)
      yield `    <testcase classname="${cloud}.collection" name="${xml(name)}"><skipped message="${xml(reason)}"/></testcase>\n`;
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
};

async function* caseOf(result: CheckResult, checked: CheckedPolicy): AsyncGenerator<string> {
  const { policy, service, status, counts, error } = checked;
  const name = `classname="${xml(`${result.cloud}.${service || result.cloud}`)}" name="${xml(`${policy.id} ${policy.title}`)}"`;
  if (status === 'passed') return void (yield `    <testcase ${name}/>\n`);
  const findings = await result.findings(checked);
  if (status === 'not assessed') {
    const reason = error ?? findings[0]?.reason ?? '';
    yield `    <testcase ${name}><skipped message="${xml(`Could not be assessed: ${reason}`)}"/></testcase>\n`;
    return;
  }
  const { NonCompliant, CouldNotAssess } = counts;
  const unassessed = CouldNotAssess > 0 ? `, ${CouldNotAssess} could not be assessed` : '';
  const message = `${NonCompliant} of ${NonCompliant + counts.Compliant} assessed resources violate the policy${unassessed}.`;
  yield `    <testcase ${name}><failure type="${policy.severity}" message="${xml(message)}">`;
  for (const finding of findings) yield `${xml(lineOf(finding))}\n`;
  yield `\n${xml(policy.remediation)}</failure></testcase>\n`;
}

function lineOf({ status, resource, region, reason }: Finding): string {
  const prefix = status === 'CouldNotAssess' ? 'not assessed: ' : '';
  return `${prefix}${resource}${region ? ` in ${region}` : ''}${reason ? `: ${reason}` : ''}`;
}

function unreadOf({ gaps, problems }: CheckResult): { readonly name: string; readonly reason: string }[] {
  return [
    ...problems.map(({ status, reason }) => ({ name: reason, reason: `${status}: ${reason}` })),
    ...gaps.map(({ kind, cloudAccount, region, status, reason }) => ({
      ...{ name: `${kind} of ${cloudAccount} in ${region}`, reason: `${status}: ${reason}` },
    })),
  ];
}

function countsOf(policies: readonly CheckedPolicy[], unread: number): string {
  const failures = policies.filter(({ status }) => status === 'failed').length;
  const skipped = policies.filter(({ status }) => status === 'not assessed').length + unread;
  return `tests="${policies.length + unread}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

/** Without a zone, as the schema has it. */
function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19);
}
