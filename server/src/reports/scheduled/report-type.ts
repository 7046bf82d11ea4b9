import type { FrameworkHead } from '../frameworks/framework.ts';

/** Alerts that a daily report lists. */
export interface AlertSelection {
  readonly title: string;
  /** Without it, alerts of all sources. */
  readonly source?: string;
  readonly subCategory?: string;
}

/** What the name of a report in a rule stands for. */
export type ScheduledType =
  | { readonly kind: 'compliance'; readonly framework: FrameworkHead }
  | { readonly kind: 'alerts'; readonly alerts: AlertSelection }
  | { readonly kind: 'trend' };

const activity = 'Cloud Activity';
const compliance = 'Compliance';

const alertReports: Readonly<Record<string, AlertSelection>> = {
  agentEvents: { title: 'Alerts about hosts', source: 'Agent' },
  awsCloudtrailEvents: { title: 'Alerts about AWS activity', source: 'AWS', subCategory: activity },
  awsComplianceEvents: { title: 'Alerts about AWS compliance', source: 'AWS', subCategory: compliance },
  azureActivityLogEvents: { title: 'Alerts about Azure activity', source: 'Azure', subCategory: activity },
  azureComplianceEvents: { title: 'Alerts about Azure compliance', source: 'Azure', subCategory: compliance },
  gcpAuditTrailEvents: { title: 'Alerts about Google Cloud activity', source: 'GCP', subCategory: activity },
  gcpComplianceEvents: {
    ...{ title: 'Alerts about Google Cloud compliance', source: 'GCP', subCategory: compliance },
  },
  k8sAuditLogEvents: { title: 'Alerts about Kubernetes activity', subCategory: 'Kubernetes Activity' },
  platformEvents: { title: 'Alerts about the platform', subCategory: 'Platform' },
};

/** Undefined if there is no such report. Frameworks are named like their report type, as `awsCis14` for `AWS_CIS_14`. */
export function scheduledType(name: string, frameworks: readonly FrameworkHead[]): ScheduledType | undefined {
  if (name === 'trendReport') return { kind: 'trend' };
  const alerts = Object.hasOwn(alertReports, name) ? alertReports[name] : undefined;
  if (alerts) return { kind: 'alerts', alerts };
  const plain = plainName(name);
  const framework = frameworks.find(({ reportType }) => plainName(reportType) === plain);
  return framework && { kind: 'compliance', framework };
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
