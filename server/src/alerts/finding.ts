import type { Severity } from './alert-message.ts';

/** An entity of an alert, as shown in `entityMap`. */
export interface Entity {
  /** For example Machine, CT_User, AwsResource. */
  readonly kind: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly props: Readonly<Record<string, unknown>>;
}

/** A row of a policy's query that violates the policy. */
export interface Violation {
  readonly key: string;
  /** The name that exceptions match. */
  readonly name: string;
  /** Display name, with the host name in place of its id once the host is looked up. */
  readonly shownName?: string;
  readonly entities: readonly Entity[];
  /** The row as the query returned it. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Tags of the host, used by resource groups, once the host is looked up. */
  readonly machineTags?: Readonly<Record<string, unknown>> | undefined;
  /** Host name, once the host is looked up. */
  readonly hostname?: string | undefined;
}

/** New violations of a policy since its last evaluation. They open an alert or join the one of the same hour. */
export interface Finding {
  readonly ownerId: string;
  readonly policyId: string;
  /** Maximum number of violations that the alert lists. */
  readonly limit: number;
  readonly severity: Severity;
  readonly alertName: string;
  readonly alertType: string;
  readonly subject: string;
  readonly description: string;
  /** Empty if the policy has none. */
  readonly remediation: string;
  readonly alertSpec: { readonly alertProfile: string; readonly name: string } | undefined;
  readonly category: string;
  readonly subCategory: string;
  readonly source: string;
  /** Start of the hour of the evaluation. */
  readonly windowStart: number;
  /** The first violations, at most `limit`. */
  readonly listed: readonly Violation[];
  /** Total number of violations, including those not listed. */
  readonly total: number;
  /** Times of the first and the last event; undefined if the rows have no event times. */
  readonly firstEventAt?: number | undefined;
  readonly lastEventAt?: number | undefined;
}
