import type { ListedResult, PostureFindings } from '../../telemetry/posture-findings.ts';
import { countsOf } from './counts.ts';
import type { PlannedPolicy, ReportPlan, UnassessedCheck } from './plan.ts';
import { type PolicyResults, resultsByPolicy } from './policy-results.ts';
import type { ComplianceReport, Recommendation, ReportSection, ReportSubject } from './report.ts';
import { statusOf } from './status.ts';
import { trendOf } from './trend.ts';

/** The report of a plan with what is stored about a cloud account; undefined if nothing is. */
export function assembleReport(plan: ReportPlan, findings: PostureFindings): ComplianceReport | undefined {
  const { subject, evaluatedAt } = findings;
  if (!subject || evaluatedAt === null) return undefined;
  const results = resultsByPolicy(findings);
  const shown = new Map(
    Array.from(plan.policies, ([id, policy]) => [id, recommendationOf(plan, policy, results(id))] as const),
  );
  const sections = plan.sections.map(({ id, title, controls }) => ({
    ...{ id, title },
    controls: controls.map((control) => ({
      id: control.id,
      recommendations: [
        ...control.policies.flatMap((policy) => shown.get(policy) ?? []),
        ...control.unassessed.map(unassessedRecommendation),
      ],
    })),
  }));
  return {
    ...{ reportType: plan.reportType, title: plan.title, evaluatedAt },
    subject: subjectOf(plan, subject),
    sections: listedSections(plan, sections),
    counts: countsOf(sections),
    trend: trendOf(plan, findings),
  };
}

function recommendationOf(plan: ReportPlan, policy: PlannedPolicy, results: PolicyResults): Recommendation {
  const { state, ...described } = policy;
  const status = statusOf(state, results);
  const hasResults = state === 'automated';
  const listed = hasResults ? results.listed : [];
  const counts = hasResults ? results.counts : {};
  const { Compliant = 0, NonCompliant = 0, Suppressed = 0, CouldNotAssess = 0 } = counts;
  const assessed = Compliant + NonCompliant;
  return {
    ...described,
    ...status,
    assessed,
    resources: assessed + Suppressed + CouldNotAssess,
    violations: listed
      .filter((one) => one.status === 'NonCompliant')
      .map(({ resource, region, reason, since }) => ({ resource, region, reason, since })),
    exceptions: listed
      .filter((one) => one.status === 'Suppressed')
      .map((one) => ({ ...place(one), ...grantOf(plan, one.exception) })),
    gaps: listed
      .filter((one) => one.status === 'CouldNotAssess')
      .map((one) => ({ ...place(one), reason: one.reason })),
    violated: NonCompliant,
    exempt: Suppressed,
    unread: CouldNotAssess,
  };
}

const place = ({ resource, region }: ListedResult) => ({ resource, region });

/** An exception that was deleted since the evaluation has only its id. */
function grantOf({ exceptions }: ReportPlan, exceptionId: string) {
  const granted = exceptions.get(exceptionId) ?? { description: '', grantedBy: '' };
  return { exceptionId, ...granted };
}

function unassessedRecommendation({ isManual, ...check }: UnassessedCheck): Recommendation {
  return {
    ...check,
    status: isManual ? 'RequiresManualAssessment' : 'CouldNotAssess',
    reason: isManual ? 'A person assesses this control.' : 'No check in this release.',
    ...{ infoLink: '', description: '', assessed: 0, resources: 0 },
    ...{ violated: 0, exempt: 0, unread: 0 },
    ...{ violations: [], exceptions: [], gaps: [] },
  };
}

function subjectOf(
  { cloud }: ReportPlan,
  { id, name, parent, parentName }: NonNullable<PostureFindings['subject']>,
): ReportSubject {
  // Clients know the ids of Azure in upper case.
  const spelled = (given: string) => (cloud === 'Azure' ? given.toUpperCase() : given);
  return {
    ...{ cloud, id: spelled(id), name },
    ...(parent && { parent: { id: spelled(parent), name: parentName } }),
  };
}

/** Sections with the recommendations that are asked for; empty sections and controls are left out. */
function listedSections(
  { listedOnly: { severities, statuses } }: ReportPlan,
  sections: readonly ReportSection[],
): readonly ReportSection[] {
  if (!severities && !statuses) return sections;
  const isListed = ({ severity, status }: Recommendation) =>
    (severities?.includes(severity) ?? true) && (statuses?.includes(status) ?? true);
  return sections
    .map(({ controls, ...section }) => ({
      ...section,
      controls: controls
        .map(({ id, recommendations }) => ({ id, recommendations: recommendations.filter(isListed) }))
        .filter(({ recommendations }) => recommendations.length > 0),
    }))
    .filter(({ controls }) => controls.length > 0);
}
