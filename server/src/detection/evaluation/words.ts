import type { Finding } from '../../alerts/finding.ts';
import type { PolicyRecord } from '../policies/record.ts';
import { alertTypeOf, untemplatedTypes } from '../profiles/alert-types.ts';
import type { ResolvedTemplate } from '../profiles/references.ts';
import { stringifyExact } from './exact-json.ts';
import type { Row } from './row.ts';

/** What an alert says. */
export type Words = Pick<
  Finding,
  'alertName' | 'alertType' | 'subject' | 'description' | 'remediation' | 'alertSpec'
>;

interface WordsContext {
  readonly policy: PolicyRecord;
  readonly resolved: ResolvedTemplate | undefined;
  /** The first violation, and the sentence about it. */
  readonly row: Row;
  readonly summary: string;
  readonly total: number;
}

const longest = { value: 300, name: 500, subject: 2_000, description: 10_000, remediation: 8_000 };
const placeholder = /\{\{([^{}]*)\}\}/g;

/** The words of the policy's template, or those that follow from the policy itself. */
export function wordsOf({ policy, resolved, row, summary, total }: WordsContext): Words {
  const compliance = policy.policyType === 'Compliance' ? untemplatedTypes.compliance : undefined;
  const remediation = cut(policy.remediation, longest.remediation);
  const more = total > 1 ? `, and ${total - 1} more` : '';
  const whole = `${cut(summary, longest.subject / 2)}${more}`;
  if (!resolved) {
    return {
      alertName: cut(policy.title, longest.name),
      alertType: compliance ?? untemplatedTypes.violation,
      subject: cut(`${policy.title}: ${whole}`, longest.subject),
      description: cut(guidanceOf(policy), longest.description),
      remediation,
      alertSpec: undefined,
    };
  }
  const { template, profileId, fields } = resolved;
  const values = new Map<string, unknown>([
    ...fields.map((field): [string, unknown] => [field, Object.hasOwn(row, field) ? shown(row[field]) : '']),
    ...Object.entries({ ...policyFields(policy, total), _SUMMARY: whole, _GUIDANCE: guidanceOf(policy) }),
  ]);
  const filled = (text: string, most: number) =>
    cut(
      text.replace(placeholder, (_, name: string) => String(values.get(name.trim()) ?? '')),
      most,
    );
  return {
    alertName: filled(template.eventName, longest.name).trim() || cut(policy.title, longest.name),
    alertType: compliance ?? alertTypeOf(template),
    subject: filled(template.subject, longest.subject),
    description: filled(template.description, longest.description),
    remediation,
    alertSpec: { alertProfile: profileId, name: template.name },
  };
}

/** The fields that every profile has. */
function policyFields(policy: PolicyRecord, total: number): Readonly<Record<string, unknown>> {
  return {
    _OCCURRENCE: 'New',
    _POLICY_ID: policy.policyId,
    _POLICY_TITLE: policy.title,
    _POLICY_DESCRIPTION: policy.description,
    _POLICY_REMEDIATION: policy.remediation,
    _POLICY_SEVERITY: policy.severity,
    _SEVERITY: titleCase(policy.severity),
    _PRIMARY_TAG: policy.tags[0] ?? '',
    _EVENT_COUNT: total,
    _RISK: titleCase(policy.severity),
  };
}

export function titleCase(severity: string): Finding['severity'] {
  return `${severity.charAt(0).toUpperCase()}${severity.slice(1)}` as Finding['severity'];
}

/** Why it matters and what to do. */
function guidanceOf({ description, remediation }: PolicyRecord): string {
  return remediation === '' ? description : `${description}\n\nWhat to do:\n${remediation}`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return cut(typeof value === 'object' ? stringifyExact(value) : String(value), longest.value);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
