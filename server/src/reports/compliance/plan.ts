import type { Remediation } from '../../detection/packs/policy.ts';
import type { Recommendation, ReportCloud, ReportStatus } from './report.ts';

/** What a report shows of a policy, apart from its results. */
export interface PlannedPolicy
  extends Pick<Recommendation, 'id' | 'title' | 'service' | 'severity' | 'description' | 'infoLink'> {
  readonly remediation: Remediation | string;
  /** Only automated policies that are enabled have results. */
  readonly state: 'automated' | 'manual' | 'disabled';
}

/** A recommendation that no policy of the release assesses. */
export interface UnassessedCheck extends Pick<Recommendation, 'id' | 'title' | 'service' | 'severity'> {
  /** A person must assess it; otherwise the release has no check. */
  readonly isManual: boolean;
}

export interface PlannedControl {
  readonly id: string;
  /** Ids of policies. */
  readonly policies: readonly string[];
  readonly unassessed: readonly UnassessedCheck[];
}

export interface PlannedSection {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly PlannedControl[];
}

export interface PlannedException {
  readonly description: string;
  readonly grantedBy: string;
  /** Undefined if it never expires. */
  readonly until?: number;
}

/** Which recommendations are listed; the counts are of all. */
export interface ListedOnly {
  readonly severities?: readonly Recommendation['severity'][];
  readonly statuses?: readonly ReportStatus[];
}

/** A report before its results: small enough to be sent to a thread. */
export interface ReportPlan {
  readonly reportType: string;
  readonly title: string;
  readonly cloud: ReportCloud;
  readonly kind: 'benchmark' | 'standard';
  readonly sections: readonly PlannedSection[];
  readonly policies: ReadonlyMap<string, PlannedPolicy>;
  readonly exceptions: ReadonlyMap<string, PlannedException>;
  readonly listedOnly: ListedOnly;
}
