import type { BuiltInPolicy } from '../../detection/packs/policy.ts';
import type { ReportCloud } from '../compliance/report.ts';

/** A check that frameworks refer to. Policies implement it: usually one, or one for each kind of resource. */
export interface Check {
  readonly key: string;
  readonly cloud: ReportCloud;
  /** As the cloud names it, such as `s3`. */
  readonly service: string;
  readonly severity: BuiltInPolicy['severity'];
  /** No interface shows it: a person must attest it. */
  readonly isAttested: boolean;
}

const header = 'key\tcloud\tservice\tseverity\tassessment';
const values = {
  cloud: ['AWS', 'Azure', 'GCP', 'K8s'],
  severity: ['critical', 'high', 'medium', 'low', 'info'],
  assessment: ['automated', 'attested'],
} as const;

/** Reads `checks.tsv` and adds a line to `problems` for each invalid one. */
export function readChecks(name: string, text: string, problems: string[]): ReadonlyMap<string, Check> {
  const [first, ...lines] = text.trimEnd().split('\n');
  if (first !== header) problems.push(`${name}:1: The header must be ${header.replaceAll('\t', ', ')}.`);
  const checks = new Map<string, Check>();
  for (const [index, line] of lines.entries()) {
    const [key = '', cloud = '', service = '', severity = '', assessment = '', ...rest] = line.split('\t');
    const problem =
      rest.length > 0 || !/^[a-z0-9_]+$/.test(key) || service === ''
        ? `The line must have key, cloud, service, severity and assessment, separated by tabs.`
        : checks.has(key)
          ? `${key} is listed twice: remove one of the lines.`
          : problemWith({ cloud, severity, assessment });
    if (problem) problems.push(`${name}:${index + 2}: ${problem}`);
    checks.set(key, {
      ...{ key, service },
      cloud: cloud as Check['cloud'],
      severity: severity as Check['severity'],
      isAttested: assessment === 'attested',
    });
  }
  return checks;
}

function problemWith(line: Readonly<Record<keyof typeof values, string>>): string | undefined {
  for (const member of ['cloud', 'severity', 'assessment'] as const) {
    const allowed: readonly string[] = values[member];
    if (!allowed.includes(line[member]))
      return `${member} must be one of ${allowed.join(', ')}, not ${line[member]}.`;
  }
  return undefined;
}
