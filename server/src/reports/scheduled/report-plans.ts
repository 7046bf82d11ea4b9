import type { GroupFilter } from '../../alerts/rule-groups.ts';
import type { KnownCloudAccount } from '../../telemetry/resource-search.ts';
import type { ListedOnly } from '../compliance/plan.ts';
import type { ReportCloud } from '../compliance/report.ts';
import type { ReportName } from '../compliance/report-catalogue.ts';
import type { Frequency } from './period.ts';
import type { AlertSelection } from './report-type.ts';

/** A report that is sent regularly. */
export interface PlannedReport {
  /** Distinguishes it from all others. */
  readonly key: string;
  /** The same for reports with the same content: a channel gets it once. */
  readonly name: string;
  readonly type:
    | { readonly kind: 'compliance'; readonly cloud: ReportCloud; readonly report: ReportName }
    | { readonly kind: 'alerts'; readonly alerts: AlertSelection }
    | { readonly kind: 'trend' };
  readonly frequency: Frequency;
  /** Periods that were due before are not reported. */
  readonly since: number;
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly string[];
  readonly groups: GroupFilter;
  /** 1 is critical; empty: all. */
  readonly severities: readonly number[];
  readonly listedOnly: ListedOnly;
  /** Further selection of cloud accounts. */
  readonly cloudAccounts?: (one: KnownCloudAccount) => boolean;
}

/** A source of such reports. */
export interface ReportPlans {
  reports(): Promise<PlannedReport[]>;
}
