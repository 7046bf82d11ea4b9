import type { Provider } from './served-datasource.ts';

/** Which evaluations a report is about. */
export interface FindingsQuery {
  readonly account: string;
  readonly provider: Provider;
  /** The AWS account, subscription, project or cluster. */
  readonly cloudAccount: string;
  /** Its tenant or organization, if it is known. */
  readonly parent: string | undefined;
  readonly policies: readonly string[];
  /** Results are as of this time. */
  readonly at: number;
  /** Times for comparison, in milliseconds before the last evaluation. */
  readonly earlier: readonly number[];
  /** Bound of the results that are listed; further ones are counted. */
  readonly maxListed: number;
}

/** What is stored about a cloud account, in the form of the JSON that the engine writes. */
export interface PostureFindings {
  /** Names of the cloud account; null if nothing is stored about it. */
  readonly subject: {
    readonly id: string;
    readonly name: string;
    readonly parent: string;
    readonly parentName: string;
  } | null;
  /** The last evaluation at or before the time. */
  readonly evaluatedAt: number | null;
  /** Policies that were evaluated. */
  readonly evaluated: readonly string[];
  readonly counts: readonly {
    readonly policy: string;
    readonly status: string;
    readonly resources: number;
  }[];
  /** Results other than Compliant, by policy and resource. */
  readonly listed: readonly ListedResult[];
  /** Status `Evaluated`, too, for each policy that had been evaluated by then. */
  readonly earlier: readonly { readonly at: number; readonly policy: string; readonly status: string }[];
}

export interface ListedResult {
  readonly policy: string;
  readonly status: string;
  readonly resource: string;
  readonly region: string;
  readonly reason: string;
  readonly exception: string;
  readonly since: number;
}
