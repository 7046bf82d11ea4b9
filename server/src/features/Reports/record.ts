import { Type } from 'typebox';
import { type ReportCloud, reportStatuses } from '../../reports/compliance/report.ts';
import { columnName, subjectMemberNames } from '../../reports/compliance/subject-members.ts';

const text = (description: string, maxLength = 10_000) => Type.String({ maxLength, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const cloudNames: Readonly<Record<ReportCloud, string>> = {
  AWS: 'AWS',
  Azure: 'Azure',
  GCP: 'Google Cloud',
  K8s: 'Kubernetes',
};
const subject = (spell: (name: string) => string) =>
  Object.fromEntries(
    subjectMemberNames.flatMap(({ cloud, names }) =>
      names.map((name) => [
        spell(name),
        Type.Optional(text(`Reports about ${cloudNames[cloud]} only.`, 500)),
      ]),
    ),
  );

const Violation = Type.Object({
  resource: text('ARN, URN or name of the resource.'),
  region: Type.Optional(text('Omitted if it has none.', 100)),
  reasons: Type.Array(text('Why it violates the recommendation.'), { description: 'One element.' }),
});

const Recommendation = Type.Object({
  REC_ID: text('Id of the policy; the same in several categories.', 200),
  TITLE: text('Title.', 1_000),
  CATEGORY: text('Section or control of the framework.', 500),
  SERVICE: text('Such as aws:s3.', 200),
  STATUS: Type.Enum([...reportStatuses], { description: 'Result.' }),
  SEVERITY: Type.Integer({ minimum: 1, maximum: 5, description: '1 is critical, 5 is info.' }),
  START_TIME: Type.Integer({ description: 'Time of the evaluation in milliseconds.' }),
  INFO_LINK: text('Further information; empty if there is none.', 500),
  ASSESSED_RESOURCE_COUNT: count('Compliant and non-compliant resources.'),
  RESOURCE_COUNT: count('All resources in scope.'),
  VIOLATIONS: Type.Array(Violation, { description: 'Resources that violate it.' }),
  SUPPRESSIONS: Type.Array(text('Resource.'), { description: 'Resources that an exception covers.' }),
  ...subject(columnName),
});

const severityCounts = Object.fromEntries(
  [1, 2, 3, 4, 5].map((severity) => [
    `NUM_SEVERITY_${severity}_NON_COMPLIANCE`,
    count(`Non-compliant recommendations of severity ${severity}.`),
  ]),
);

const Summary = Type.Object(
  {
    NUM_RECOMMENDATIONS: count('All recommendations, each counted once.'),
    NUM_COMPLIANT: count('Compliant recommendations.'),
    NUM_NOT_COMPLIANT: count('Non-compliant recommendations.'),
    NUM_SUPPRESSED: count('Suppressed recommendations.'),
    ...severityCounts,
    ASSESSED_RESOURCE_COUNT: count('Sum over the recommendations.'),
    VIOLATED_RESOURCE_COUNT: count('Sum over the recommendations.'),
    SUPPRESSED_RESOURCE_COUNT: count('Sum over the recommendations.'),
  },
  { description: 'Counts over all recommendations, also those that are not listed.' },
);

/** A report as JSON. */
export const ReportRecord = Type.Object({
  reportType: text('The title, too.', 200),
  reportTitle: text('Title of the framework.', 200),
  reportTime: Type.String({ format: 'date-time', maxLength: 30, description: 'Time of the evaluation.' }),
  ...subject((name) => name),
  summary: Type.Array(Summary, { description: 'One element.' }),
  recommendations: Type.Array(Recommendation, { description: 'Results by category.' }),
});
