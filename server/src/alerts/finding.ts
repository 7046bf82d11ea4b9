import type { Severity } from './alert-message.ts';

/** A thing that an alert is about, as `entityMap` shows it. */
export interface Entity {
  /** Such as Machine, CT_User, AwsResource. */
  readonly kind: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly props: Readonly<Record<string, unknown>>;
}

/** One row of a policy's query that violates it. */
export interface Violation {
  readonly key: string;
  /** What exceptions know the resource or event by. */
  readonly name: string;
  /** The same for people, with the name of the host in place of its id where somebody looked it up. */
  readonly shownName?: string;
  readonly entities: readonly Entity[];
  /** The row, as the query returned it. */
  readonly row: Readonly<Record<string, unknown>>;
  /** Tags of the host that it names, by which groups choose it, where somebody looked them up. */
  readonly machineTags?: Readonly<Record<string, unknown>> | undefined;
  /** Name of that host. */
  readonly hostname?: string | undefined;
}

/** New violations of a policy since its last evaluation: they raise an alert, or join the one of the same hour. */
export interface Finding {
  readonly ownerId: string;
  readonly policyId: string;
  /** Most violations that the alert lists. */
  readonly limit: number;
  readonly severity: Severity;
  readonly alertName: string;
  readonly alertType: string;
  readonly subject: string;
  readonly description: string;
  /** What to do about it; empty where the policy does not say. */
  readonly remediation: string;
  readonly alertSpec: { readonly alertProfile: string; readonly name: string } | undefined;
  readonly category: string;
  readonly subCategory: string;
  readonly source: string;
  /** Begin of the hour in which they were found. */
  readonly windowStart: number;
  /** The first of them, as many as the alert lists at the most. */
  readonly listed: readonly Violation[];
  /** How many there are. */
  readonly total: number;
  /** When the first and the last of them happened, where they say so; both undefined otherwise. */
  readonly firstEventAt?: number | undefined;
  readonly lastEventAt?: number | undefined;
}
