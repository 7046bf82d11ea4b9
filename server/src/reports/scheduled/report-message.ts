import type { GroupFilter } from '../../alerts/rule-groups.ts';
import type { ListedOnly } from '../compliance/plan.ts';
import type { ReportName } from '../compliance/report-catalogue.ts';
import type { AlertSelection } from './report-type.ts';

/** The occasion of a delivery that is a report begins so; the rest says which. */
export const reportOccasion = 'report ';

/** What a report shows. It is written when it is sent, so that it is as current as it can be. */
export type ReportContent =
  | {
      readonly kind: 'compliance';
      readonly report: ReportName;
      readonly cloudAccount: { readonly id: string; readonly parent?: string };
      readonly listedOnly: ListedOnly;
    }
  | {
      readonly kind: 'alerts';
      readonly alerts: AlertSelection;
      /** 1 is critical; empty: all. */
      readonly severities: readonly number[];
      readonly groups: GroupFilter;
    }
  | { readonly kind: 'trend' };

/** A report that waits to be sent, as it is stored. */
export interface ReportMessage {
  /** The same in every attempt. */
  readonly deliveryId: string;
  readonly ownerId: string;
  /** Account name. */
  readonly account: string;
  readonly start: number;
  readonly end: number;
  readonly content: ReportContent;
}
