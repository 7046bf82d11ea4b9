import { severityNames } from '../../rules/severities.ts';
import type { Recommendation, ReportStatus, ReportSubject } from './report.ts';

export const statusNames: Readonly<Record<ReportStatus, string>> = {
  NonCompliant: 'Non-compliant',
  CouldNotAssess: 'Not assessed',
  RequiresManualAssessment: 'Manual',
  Suppressed: 'Suppressed',
  Compliant: 'Compliant',
};

export const statusMeanings: Readonly<Record<ReportStatus, string>> = {
  NonCompliant: 'At least one resource violates the recommendation, and no exception covers it.',
  CouldNotAssess:
    'The state is unknown: the resources could not be read, or this release has no check. Treat it as open until it is assessed.',
  RequiresManualAssessment:
    'No interface of the cloud shows the state. A person has to assess and document it.',
  Suppressed: 'An exception covers the recommendation or every resource that violates it.',
  Compliant: 'Every resource that was read meets the recommendation, or there is no such resource.',
};

export const severityName = (severity: Recommendation['severity']): string => severityNames[severity];

export const scoreMeaning =
  'Compliant recommendations as a share of all compliant and non-compliant ones, rounded down. Suppressed, manual and ' +
  'not assessed recommendations do not count.';

export const scoreText = (score: number | undefined) => (score === undefined ? 'None' : `${score} %`);

export const timeText = (milliseconds: number) =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const dayText = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

export const countText = (count: number) => `${count}`.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** A number with its noun. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${countText(count)} ${count === 1 ? noun : plural}`;

const subjectTerms = {
  AWS: { parent: 'Organization', own: 'AWS account' },
  Azure: { parent: 'Azure tenant', own: 'Subscription' },
  GCP: { parent: 'Google Cloud organization', own: 'Project' },
  K8s: { parent: 'Account', own: 'Cluster' },
} as const;

export function subjectFacts({ cloud, parent, id, name }: ReportSubject): { term: string; value: string }[] {
  const terms = subjectTerms[cloud];
  const named = (one: { id: string; name: string }) => (one.name ? `${one.name} (${one.id})` : one.id);
  return [
    ...(parent ? [{ term: terms.parent, value: named(parent) }] : []),
    { term: terms.own, value: named({ id, name }) },
  ];
}

/** The subject in a few words, for headers. */
export const subjectText = ({ cloud, id, name }: ReportSubject) =>
  `${subjectTerms[cloud].own} ${name ? `${name} (${id})` : id}`;

/** Values come from the cloud and may be of any length: a page is not. */
export function shortened(value: string, limit = 1_000): string {
  const wellFormed = value.toWellFormed();
  if (wellFormed.length <= limit) return wellFormed;
  return `${wellFormed.slice(0, limit).toWellFormed()}… (${countText(wellFormed.length)} characters)`;
}
