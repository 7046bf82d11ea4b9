import { createHash } from 'node:crypto';
import type { BuiltInPolicy } from '@vedette/server/detection/packs/policy';
import type { Severity } from '@vedette/server/detection/policies/severity';
import { formatInstant } from '@vedette/server/platform/instant';
import { version } from '@vedette/server/platform/version';
import { type CheckedPolicy, type CheckResult, type Finding, isComplete } from '../check-result.ts';
import type { Format } from './format.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The level of a result, and the score by which code scanning services sort security results. */
const levels: Readonly<Record<Severity, { readonly level: string; readonly score: string }>> = {
  critical: { level: 'error', score: '9.5' },
  high: { level: 'error', score: '8.0' },
  medium: { level: 'warning', score: '5.5' },
  low: { level: 'note', score: '3.0' },
  info: { level: 'note', score: '0.0' },
};

/** SARIF 2.1.0: a rule for each policy, a result for each violation, a notification for what was not assessed. */
export const sarifFormat: Format = async function* (result) {
  const { policies } = result;
  const driver = {
    ...{ name: 'Vedette', semanticVersion: version },
    rules: policies.map(({ policy, service }) => ruleOf(policy, service)),
  };
  const run = { tool: { driver }, invocations: [invocationOf(result)], columnKind: 'utf16CodeUnits' };
  const head = JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] });
  // The results follow as the last member of the run.
  yield `${head.slice(0, -3)},"results":[`;
  let separator = '\n';
  for (const [ruleIndex, checked] of policies.entries()) {
    if (checked.status !== 'failed') continue;
    const violations = (await result.findings(checked)).filter(({ status }) => status === 'NonCompliant');
    for (const violation of violations) {
      yield `${separator}${JSON.stringify(resultOf(result, checked, violation, ruleIndex))}`;
      separator = ',\n';
    }
  }
  yield ']}]}\n';
};

function ruleOf(
  { id, title, description, remediation, severity, infoLink, references }: BuiltInPolicy,
  service: string,
) {
  const { level, score } = levels[severity];
  const helpUri = infoLink ?? references?.[0];
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: description },
    help: { text: `${description}\n\n${remediation}` },
    ...(helpUri !== undefined && { helpUri }),
    defaultConfiguration: { level },
    properties: {
      tags: ['security', ...(service ? [service] : [])],
      'security-severity': score,
      precision: 'very-high',
    },
  };
}

function resultOf({ cloud }: CheckResult, { policy }: CheckedPolicy, finding: Finding, ruleIndex: number) {
  const { resource, region, reason, account } = finding;
  const owner = Object.values(account)[0] ?? '';
  const where = region ? ` in ${region}` : '';
  return {
    ...{ ruleId: policy.id, ruleIndex, kind: 'fail', level: levels[policy.severity].level },
    message: { text: `${policy.title}: ${resource}${where}${reason ? ` (${reason})` : ''}` },
    locations: [
      {
        // Code scanning services refuse results that are not in a file: the path names the resource.
        physicalLocation: {
          artifactLocation: { uri: [cloud, owner, resource].map(encodedSegment).join('/') },
          region: { startLine: 1 },
        },
        logicalLocations: [{ name: resource, fullyQualifiedName: resource, kind: 'resource' }],
      },
    ],
    // By which these services recognize a result that they know.
    partialFingerprints: { primaryLocationLineHash: digestOf([policy.id, owner, resource]) },
    properties: { region, reason, account },
  };
}

function invocationOf(result: CheckResult) {
  const { began, evaluatedAt, policies, problems } = result;
  const warning = (text: string) => ({ level: 'warning', message: { text } });
  const unassessed = policies.flatMap(({ policy, counts, error }, index) => {
    if (counts.CouldNotAssess === 0 && error === undefined) return [];
    const what = error ?? `${counts.CouldNotAssess} resources or regions could not be assessed.`;
    return [{ ...warning(`${policy.title}: ${what}`), associatedRule: { id: policy.id, index } }];
  });
  const unread = result.gaps.map(({ kind, region, reason }) => warning(`${kind} in ${region}: ${reason}`));
  return {
    executionSuccessful: isComplete(result),
    startTimeUtc: formatInstant(began),
    endTimeUtc: formatInstant(evaluatedAt),
    toolExecutionNotifications: [...problems.map(({ reason }) => warning(reason)), ...unread, ...unassessed],
  };
}

/** Names may have half a character, which no URI can have. */
function encodedSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
