import type { Finding } from '../../alerts/finding.ts';
import type { PolicyRecord } from '../policies/record.ts';
import { alertTypeOf, untemplatedTypes } from '../profiles/alert-types.ts';
import type { ResolvedTemplate } from '../profiles/references.ts';
import { stringifyExact } from './exact-json.ts';
import type { Row } from './row.ts';

/** The text and the type of an alert. */
export type AlertText = Pick<
  Finding,
  'alertName' | 'alertType' | 'subject' | 'description' | 'remediation' | 'alertSpec'
>;

interface AlertTextContext {
  readonly policy: PolicyRecord;
  readonly resolved: ResolvedTemplate | undefined;
  /** The first violation. */
  readonly row: Row;
  readonly summary: string;
  readonly total: number;
}

const maxLength = { value: 300, name: 500, subject: 2_000, description: 10_000, remediation: 8_000 };
const placeholder = /\{\{([^{}]*)\}\}/g;

/** Fills the policy's alert template, or derives the text from the policy. */
export function alertTextOf({ policy, resolved, row, summary, total }: AlertTextContext): AlertText {
  const compliance = policy.policyType === 'Compliance' ? untemplatedTypes.compliance : undefined;
  const remediation = truncate(policy.remediation, maxLength.remediation);
  const more = total > 1 ? `, and ${total - 1} more` : '';
  const fullSummary = `${truncate(summary, maxLength.subject / 2)}${more}`;
  if (!resolved) {
    return {
      alertName: truncate(policy.title, maxLength.name),
      alertType: compliance ?? untemplatedTypes.violation,
      subject: truncate(`${policy.title}: ${fullSummary}`, maxLength.subject),
      description: truncate(guidanceOf(policy), maxLength.description),
      remediation,
      alertSpec: undefined,
    };
  }
  const { template, profileId, fields } = resolved;
  const values = new Map<string, unknown>([
    ...fields.map((field): [string, unknown] => [
      field,
      Object.hasOwn(row, field) ? displayed(row[field]) : '',
    ]),
    ...Object.entries({
      ...policyFields(policy, total),
      _SUMMARY: fullSummary,
      _GUIDANCE: guidanceOf(policy),
    }),
  ]);
  const filled = (text: string, limit: number) =>
    truncate(
      text.replace(placeholder, (_, name: string) => String(values.get(name.trim()) ?? '')),
      limit,
    );
  return {
    alertName: filled(template.eventName, maxLength.name).trim() || truncate(policy.title, maxLength.name),
    alertType: compliance ?? alertTypeOf(template),
    subject: filled(template.subject, maxLength.subject),
    description: filled(template.description, maxLength.description),
    remediation,
    alertSpec: { alertProfile: profileId, name: template.name },
  };
}

/** In place of a policy: the alerts of a first evaluation are one for each severity. */
export function initialPolicyId({ severity }: PolicyRecord): string {
  return `first-evaluation-${severity}`;
}

/** The alert about violations that were there when their cloud account was evaluated for the first time. */
export function initialAlertText({ severity }: PolicyRecord): AlertText {
  const name = `First evaluation: violations of severity ${titleCase(severity)}`;
  return {
    alertName: name,
    alertType: untemplatedTypes.compliance,
    subject: `${name}: existing resources of a new cloud account violate policies`,
    description: [
      'A cloud account was evaluated for the first time, and resources that it already had violate policies.',
      `All policies of severity ${titleCase(severity)} share this alert.`,
      'From now on each policy has its own alert, with the resources that become non-compliant.',
    ].join(' '),
    remediation:
      'Open the compliance report of the cloud account, which lists the resources of each policy and how to fix them.',
    alertSpec: undefined,
  };
}

/** Fields available in every profile. */
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

function guidanceOf({ description, remediation }: PolicyRecord): string {
  return remediation === '' ? description : `${description}\n\nWhat to do:\n${remediation}`;
}

function displayed(value: unknown): string {
  if (value === undefined || value === null) return '';
  return truncate(typeof value === 'object' ? stringifyExact(value) : String(value), maxLength.value);
}

function truncate(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
