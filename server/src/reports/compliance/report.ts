import type { Remediation } from '../../detection/packs/policy.ts';

/** On the wire, in this spelling. */
export const reportStatuses = [
  'NonCompliant',
  'CouldNotAssess',
  'RequiresManualAssessment',
  'Suppressed',
  'Compliant',
] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export type ReportCloud = 'AWS' | 'Azure' | 'GCP' | 'K8s';

/** What was evaluated: an AWS account, a subscription of a tenant, a project of an organization, a cluster. */
export interface ReportSubject {
  readonly cloud: ReportCloud;
  /** Tenant or organization; undefined for AWS and clusters, and if it is not known. */
  readonly parent?: { readonly id: string; readonly name: string };
  readonly id: string;
  /** Alias or display name; empty if there is none. */
  readonly name: string;
}

/** A resource that violates a policy. */
export interface ReportedViolation {
  readonly resource: string;
  /** Empty for resources without a region. */
  readonly region: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** A resource that an exception covers. */
export interface ReportedException {
  readonly resource: string;
  readonly region: string;
  readonly exceptionId: string;
  /** The reason that was given for it. */
  readonly description: string;
  readonly grantedBy: string;
  /** Undefined if it never expires. */
  readonly until?: number;
}

/** What could not be read: a resource, or a kind of resources in a region. */
export interface ReportedGap {
  readonly resource: string;
  readonly region: string;
  readonly reason: string;
}

/** A line of a report: one policy for one control. */
export interface Recommendation {
  /** The policy's id, or one of the control if the release has no policy for it. */
  readonly id: string;
  readonly title: string;
  /** As `aws:s3`. */
  readonly service: string;
  readonly severity: 1 | 2 | 3 | 4 | 5;
  readonly status: ReportStatus;
  /** Why it was not assessed or suppressed as a whole; empty otherwise. */
  readonly reason: string;
  readonly infoLink: string;
  readonly description: string;
  /** Undefined if there is no check. */
  readonly remediation?: Remediation | string;
  /** Resources that were evaluated: compliant and non-compliant ones. */
  readonly assessed: number;
  /** Those and the exempt and unread ones. */
  readonly resources: number;
  readonly violations: readonly ReportedViolation[];
  readonly exceptions: readonly ReportedException[];
  readonly gaps: readonly ReportedGap[];
  /** Numbers of violations, exceptions and gaps: more than are listed if a report has a great many. */
  readonly violated: number;
  readonly exempt: number;
  readonly unread: number;
}

export interface ReportControl {
  /** Its number in the framework, such as `1.4` or `AC-2(1)`. */
  readonly id: string;
  readonly recommendations: readonly Recommendation[];
}

export interface ReportSection {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly ReportControl[];
}

/** The counts of a report, over recommendations with distinct ids. */
export interface ReportCounts {
  readonly recommendations: number;
  readonly compliant: number;
  readonly nonCompliant: number;
  readonly suppressed: number;
  readonly manual: number;
  readonly notAssessed: number;
  /** Those of `notAssessed` for which the release has no check. */
  readonly withoutCheck: number;
  /** Non-compliant ones by severity, critical first. */
  readonly bySeverity: readonly [number, number, number, number, number];
  readonly assessedResources: number;
  readonly violatedResources: number;
  readonly suppressedResources: number;
}

/** The counts at an earlier time. */
export interface TrendPoint {
  readonly at: number;
  readonly compliant: number;
  readonly nonCompliant: number;
}

/** A report about one cloud account, from which all formats are made. */
export interface ComplianceReport {
  readonly reportType: string;
  /** As `CIS Amazon Web Services Foundations Benchmark v1.4.0`. */
  readonly title: string;
  readonly subject: ReportSubject;
  /** The time of the evaluation that it shows. */
  readonly evaluatedAt: number;
  readonly sections: readonly ReportSection[];
  readonly counts: ReportCounts;
  /** Oldest first, without the report's own time. */
  readonly trend: readonly TrendPoint[];
}
